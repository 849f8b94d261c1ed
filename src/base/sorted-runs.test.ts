import fc from 'fast-check';
import {expect, test} from 'vitest';
import {SortedRuns} from './sorted-runs.ts';

const byNumber = (a: number, b: number) => a - b;

function all(runs: SortedRuns<number>, countMax: number): readonly number[] {
  const taken: number[] = [];
  while (runs.size > 0) taken.push(...runs.take(countMax));
  return taken;
}

test('gives back in order what was added in any, some at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), {maxLength: 50}), fc.integer({min: 1, max: 20}), (list, countMax) => {
      const runs = new SortedRuns(byNumber);
      for (const each of list) runs.add(each);
      expect(all(runs, countMax)).toEqual(list.toSorted(byNumber));
    }),
  );
});

test('keeps the order across many runs', () => {
  const runs = new SortedRuns(byNumber);
  const list = Array.from({length: 30_000}, (_, place) => (place * 7919) % 30_011);
  for (const each of list) runs.add(each);
  expect(all(runs, 999)).toEqual(list.toSorted(byNumber));
});

test('what is added after some were taken comes in its place among the rest', () => {
  const runs = new SortedRuns(byNumber);
  for (const each of [5, 1, 9]) runs.add(each);
  expect(runs.take(1)).toEqual([1]);
  runs.add(7);
  expect(runs.size).toBe(3);
  expect(all(runs, 2)).toEqual([5, 7, 9]);
});

test('nothing is left of what was cleared', () => {
  const runs = new SortedRuns(byNumber);
  for (let each = 0; each < 5000; each += 1) runs.add(each);
  runs.clear();
  expect(runs.size).toBe(0);
  expect(runs.take(1)).toEqual([]);
});
