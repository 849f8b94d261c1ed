import {describe, expect, test} from 'vitest';
import {allReady, attempt, whenReady} from './awaitable.ts';

const later = <T>(value: T): Promise<T> => Promise.resolve(value);
const failure = () => {
  throw new Error('failed');
};
const told = (error: unknown) => (error as Error).message;

describe('what is ready', () => {
  test('is handed on in the same turn', () => {
    expect(whenReady(1, value => value + 1)).toBe(2);
    expect(allReady([1, 2])).toEqual([1, 2]);
    expect(
      attempt(
        () => 1,
        () => 2,
      ),
    ).toBe(1);
    expect(attempt(failure, told)).toBe('failed');
  });
});

describe('what comes later', () => {
  test('is waited for', async () => {
    expect(await whenReady(later(1), value => value + 1)).toBe(2);
    expect(await whenReady(1, value => later(value + 1))).toBe(2);
    expect(await allReady([1, later(2)])).toEqual([1, 2]);
    expect(await attempt(() => later(1).then(failure), told)).toBe('failed');
  });
});
