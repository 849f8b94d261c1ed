import {expect, test} from 'vitest';
import {rangeOf} from './byte-range.ts';

test.each([
  [undefined, 'whole'],
  ['', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-0', {first: 0, last: 0}],
  ['bytes=2-5', {first: 2, last: 5}],
  ['bytes=2-', {first: 2, last: 9}],
  ['bytes=2-99999999999999999999', {first: 2, last: 9}],
  ['bytes=-3', {first: 7, last: 9}],
  ['bytes=-30', {first: 0, last: 9}],
  ['bytes=-0', 'outside'],
  ['bytes=10-', 'outside'],
  ['bytes=10-12', 'outside'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=a-b', 'whole'],
])('of ten bytes, %s is %o', (header, wanted) => {
  expect(rangeOf(header, 10)).toEqual(wanted);
});

test('an empty object has no bytes to give in part', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('outside');
  expect(rangeOf(undefined, 0)).toBe('whole');
});
