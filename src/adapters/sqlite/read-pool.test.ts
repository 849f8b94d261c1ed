import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {freshId, MAIN, putKinds, SERVICE, TAG, TickingClock} from '../../ports/graph-store-fixtures.ts';
import {databasePath} from './data-file.ts';
import {ReadPool} from './read-pool.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const OBJECTS = 4000;

/** A store with enough objects that a search through all of them takes much longer than a millisecond. */
async function openPool() {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-pool-'));
  const store = await openSqliteGraphStore({folder, clock: new TickingClock(), readWorkers: 0});
  const pool = new ReadPool(databasePath(folder), 1);
  onTestFinished(async () => {
    await pool.close();
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });
  await putKinds(store, MAIN, TAG);
  await store.write(MAIN, SERVICE, async draft => {
    for (let index = 0; index < OBJECTS; index += 1) {
      await draft.create({id: freshId(), kind: 'TestTag', attributes: {name: {value: `tag ${index}`}}});
    }
  });
  const branch = 2;
  const slow = {op: 'contains', text: 'nowhere', ignoreCase: true} as const;
  const where = {
    is: 'any',
    of: Array.from({length: 40}, () => ({is: 'anyAttribute', test: slow}) as const),
  } as const;
  const place = {branch, at: store.now()};
  return {
    pool,
    slow: {is: 'query', ...place, query: {kind: 'TestTag', where, count: true}, isWhole: false} as const,
    quick: {
      is: 'query',
      ...place,
      query: {kind: 'TestTag', page: {limit: 1, offset: 0}},
      isWhole: false,
    } as const,
  };
}

test('a question that takes too long is refused in a sentence, and those behind it are answered by another thread', async () => {
  const {pool, slow, quick} = await openPool();
  await pool.ask(quick);
  const refused = pool.ask(slow, 1);
  const behind = [pool.ask(quick), pool.ask(quick, 60_000)];
  await expect(refused).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('given up after 0.001 seconds'),
  });
  for (const page of await Promise.all(behind)) expect(page).toBeDefined();
  expect(pool.waiting).toBe(0);
});

test('many that take too long leave the pool at work', async () => {
  const {pool, slow, quick} = await openPool();
  await pool.ask(quick);
  for (let round = 0; round < 8; round += 1) await expect(pool.ask(slow, 1)).rejects.toThrow('given up');
  expect(await pool.ask(quick)).toBeDefined();
});
