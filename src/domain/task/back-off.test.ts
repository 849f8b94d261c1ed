import {expect, test} from 'vitest';
import {backOffMillis} from './back-off.ts';

test('each failure waits about twice as long as the one before, up to five minutes', () => {
  expect([1, 2, 3, 4].map(failures => backOffMillis(failures, 0.999999))).toEqual([1000, 2000, 4000, 8000]);
  expect(backOffMillis(40, 0.999999)).toBe(300_000);
});

test('chance takes away at most half', () => {
  expect(backOffMillis(3, 0)).toBe(2000);
});
