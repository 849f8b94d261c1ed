import {expect, test} from 'vitest';
import {Recent} from './recent.ts';

test('what is used stays, however much else comes and goes', () => {
  const recent = new Recent<number, string>(10);
  recent.set(-1, 'used');
  for (let key = 0; key < 100; key += 1) {
    recent.set(key, 'passing');
    expect(recent.get(-1)).toBe('used');
  }
});

test('at most so many entries are kept', () => {
  const recent = new Recent<number, string>(10);
  for (let key = 0; key < 100; key += 1) recent.set(key, 'passing');
  const kept = Array.from({length: 100}, (_, key) => key).filter(key => recent.get(key) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept).toContain(99);
});
