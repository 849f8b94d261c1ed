import type {SqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import type {ReadPoint} from '../src/ports/graph-store.ts';
import {MAIN} from '../src/ports/graph-store-fixtures.ts';
import type {Bench} from './bench.ts';
import {nowMicros} from './clock.ts';
import {timed} from './measure.ts';

export type Ask = (store: SqliteGraphStore) => Promise<unknown>;

/** The three places to read from. */
export function points({built}: Bench): Readonly<Record<'main' | 'branch' | 'past', ReadPoint>> {
  return {main: {branch: MAIN}, branch: {branch: built.branches[0]!}, past: {branch: MAIN, at: built.past}};
}

/**
 * Each pass opens the store anew, so that no document is known beforehand; `first` is asked before the clock starts,
 * so that statements are. The first pass only warms the code up.
 */
export async function coldPasses(
  bench: Bench,
  passes: number,
  asksOf: (pass: number) => readonly Ask[],
  first: Ask = () => Promise.resolve(),
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let pass = 0; pass <= passes; pass += 1) {
    const store = await bench.open();
    await first(store);
    for (const ask of asksOf(pass)) {
      const start = nowMicros();
      await ask(store);
      if (pass > 0) samples.push(nowMicros() - start);
    }
    await store.close();
  }
  return samples;
}

/** The same questions again and again: their documents are in the cache. */
export async function knownRounds(
  bench: Bench,
  asks: readonly Ask[],
  readWorkers = 0,
): Promise<readonly number[]> {
  const store = await bench.open(readWorkers);
  const samples = await timed(round => asks[round % asks.length]!(store), {
    warmUp: Math.max(100, 5 * asks.length),
    roundsMax: 1_000,
  });
  await store.close();
  return samples;
}
