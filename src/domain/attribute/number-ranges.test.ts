import {expect, test} from 'vitest';
import {parseNumberRanges} from './number-ranges.ts';

test('numbers and ranges are read and sorted', () => {
  expect(parseNumberRanges('150-200, 100,-5--3')).toEqual({
    ok: true,
    ranges: [
      {first: -5, last: -3},
      {first: 100, last: 100},
      {first: 150, last: 200},
    ],
  });
});

test.each([
  ['', 'neither'],
  ['1,,2', 'neither'],
  ['a', 'neither'],
  ['1.5', 'neither'],
  ['200-150', 'begins after its end'],
  ['100-200,150', '100-200 and 150 overlap'],
  ['5,5', '5 and 5 overlap'],
  ['99999999999999999', 'beyond the largest'],
])('%j is refused with the reason', (text, reason) => {
  expect(parseNumberRanges(text)).toMatchObject({ok: false, problem: expect.stringContaining(reason)});
});
