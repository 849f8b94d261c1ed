import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {BoundedMap} from './bounded-map.ts';

const KEYS_MAX = 12;

/** What the map promises, without a thought for speed: a list of entries, oldest first. */
class Model {
  entries: (readonly [number, number])[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  set(key: number, value: number): void {
    const place = this.entries.findIndex(([known]) => known === key);
    if (place >= 0) {
      this.entries[place] = [key, value];
      return;
    }
    if (this.entries.length >= this.#max) this.entries.shift();
    this.entries.push([key, value]);
  }

  delete(key: number): void {
    this.entries = this.entries.filter(([known]) => known !== key);
  }
}

const step = fc.oneof(
  {weight: 12, arbitrary: fc.record({do: fc.constant('set' as const), key: fc.nat(KEYS_MAX)})},
  {weight: 3, arbitrary: fc.record({do: fc.constant('delete' as const), key: fc.nat(KEYS_MAX)})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('clear' as const), key: fc.constant(0)})},
);

describe('a bounded map', () => {
  test('lets the oldest entry go when it is full, whatever was removed before', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 6}), fc.array(step, {maxLength: 80}), (max, steps) => {
        const [map, model] = [new BoundedMap<number, number>(max), new Model(max)];
        for (const [value, {do: what, key}] of steps.entries()) {
          if (what === 'set') {
            map.set(key, value);
            model.set(key, value);
          } else if (what === 'delete') {
            map.delete(key);
            model.delete(key);
          } else {
            map.clear();
            model.entries = [];
          }
          const known = new Map(model.entries);
          expect(map.size).toBe(known.size);
          for (let each = 0; each <= KEYS_MAX; each += 1) expect(map.get(each)).toBe(known.get(each));
        }
      }),
    );
  });
});
