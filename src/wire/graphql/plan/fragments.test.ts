import {expect, test} from 'vitest';
import {Fragments} from './fragments.ts';

test('all tables together hold no more than they may, and what is asked for stays', () => {
  const fragments = new Fragments(100_000);
  const [used, passing] = [fragments.table(), fragments.table()];
  used.set('1', 'used');
  for (let version = 0; version < 5_000; version += 1) {
    passing.set(String(version), 'x'.repeat(100));
    expect(used.get('1')).toBe('used');
  }
  const kept = Array.from({length: 5_000}, (_, version) => passing.get(String(version)));
  expect(kept.filter(text => text !== undefined).length).toBeLessThanOrEqual(500);
});

test('a text that would take the room of many is not kept', () => {
  const table = new Fragments(1_000_000).table();
  table.set('1', 'x'.repeat(100_000));
  expect(table.get('1')).toBeUndefined();
});
