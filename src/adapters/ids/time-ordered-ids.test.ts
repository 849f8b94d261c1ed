import {expect, test} from 'vitest';
import {isNodeId} from '../../domain/graph/node-id.ts';
import {timeOrderedIds} from './time-ordered-ids.ts';

test('ids are UUIDs of version 7 that sort in the order they were made, whatever the clock does', () => {
  let micros = 1_790_000_000_000_000;
  const ids = timeOrderedIds({nowMicros: () => micros});
  const made: string[] = [];
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (turn === 3000) micros += 5_000_000;
    if (turn === 6000) micros -= 3_600_000_000;
    made.push(ids.nodeId());
  }
  expect(made.every(id => isNodeId(id) && id[14] === '7' && '89ab'.includes(id[19]!))).toBe(true);
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
});
