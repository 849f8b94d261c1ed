import {databasePath} from '../src/adapters/sqlite/data-file.ts';
import type {SqliteGraphStore} from '../src/adapters/sqlite/sqlite-graph-store.ts';
import type {NodeQuery} from '../src/domain/query/node-query.ts';
import type {ReadPoint} from '../src/ports/graph-store.ts';
import {MAIN, SERVICE} from '../src/ports/graph-store-fixtures.ts';
import type {Bench} from './bench.ts';
import {nowMicros} from './clock.ts';
import {changeOf, idOf} from './data-sets/data-set.ts';
import {executeBeside, executeOn, openRaw} from './limits/raw-database.ts';
import {RawReads} from './limits/raw-reads.ts';
import {timed} from './measure.ts';
import {paceSeconds} from './pace.ts';

/** A question to the store, and the raw work behind it. */
export interface Ask {
  ask(store: SqliteGraphStore): Promise<unknown>;
  touch(raw: RawReads): unknown;
}

export const asked = (point: ReadPoint, query: NodeQuery, touch: Ask['touch']): Ask => ({
  ask: async store => (await store.snapshot(point)).query(query),
  touch,
});

/** The three places to read from. */
export function points({built}: Bench): Readonly<Record<'main' | 'branch' | 'past', ReadPoint>> {
  return {main: {branch: MAIN}, branch: {branch: built.branches[0]!}, past: {branch: MAIN, at: built.past}};
}

/** Raw reads of the data, without a store. */
export function raw<T>({data, folder}: Bench, body: (reads: RawReads) => T): T {
  const database = openRaw(databasePath(folder));
  try {
    return body(new RawReads(executeOn(database), data));
  } finally {
    database.close();
  }
}

/** Maps the pages that the questions will need, as they are on a store that has been up for a while. */
export function touchAll({data}: Bench, store: SqliteGraphStore, asks: readonly Pick<Ask, 'touch'>[]): void {
  const reads = new RawReads(executeBeside(store), data);
  for (const {touch} of asks) touch(reads);
}

/**
 * Each pass opens the store anew, so that no document is known beforehand; its pages are, and with `first` its
 * statements too. The first pass only warms the code up.
 */
export async function coldPasses(
  bench: Bench,
  passes: number,
  asksOf: (pass: number) => readonly Ask[],
  first?: Ask,
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let pass = 0; pass <= passes; pass += 1) {
    const store = await bench.open();
    const asks = asksOf(pass);
    touchAll(bench, store, asks);
    await first?.ask(store);
    for (const {ask} of asks) {
      const start = nowMicros();
      await ask(store);
      if (pass > 0) samples.push(nowMicros() - start);
    }
    await store.close();
  }
  return samples;
}

/** The same questions again and again, and nothing written in between: answers may be remembered. */
export async function knownRounds(
  bench: Bench,
  asks: readonly Ask[],
  readWorkers = 0,
): Promise<readonly number[]> {
  const store = await bench.open(readWorkers);
  const samples = await timed(round => asks[round % asks.length]!.ask(store), {
    warmUp: Math.max(100, 5 * asks.length),
    roundsMax: 1_000,
  });
  await store.close();
  return samples;
}

/** The same questions with a commit before each: no answer can be remembered, but documents are in the cache. */
export async function knownDocuments(
  bench: Bench,
  asks: readonly Ask[],
  readWorkers = 0,
): Promise<readonly number[]> {
  const store = await bench.open(readWorkers);
  const last = bench.size - 1;
  const samples: number[] = [];
  const until = performance.now() + 2_000 * paceSeconds();
  for (let round = 0; performance.now() < until && samples.length < 1_000; round += 1) {
    await store.write(MAIN, SERVICE, draft => draft.update(idOf(last), changeOf(last, 100 + round)));
    const start = nowMicros();
    await asks[round % asks.length]!.ask(store);
    if (round >= 2 * asks.length) samples.push(nowMicros() - start);
  }
  await store.close();
  return samples;
}
