import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import {must} from '../../base/assert.ts';
import type {Clock} from '../../ports/clock.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import type {StoreHarness} from '../../ports/graph-store-contract/world.ts';
import type {SqliteStoreOptions} from './sqlite-graph-store.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

/** Stores in folders of their own, which go when the test file ends. */
export function sqliteHarness(
  readWorkers: number,
  options: Pick<SqliteStoreOptions, 'documentsMax' | 'turnMillis'> = {},
): StoreHarness {
  const root = mkdtempSync(join(tmpdir(), 'trellis-store-'));
  const folders = new WeakMap<GraphStore, string>();
  afterAll(() => rmSync(root, {recursive: true, force: true}));

  async function openIn(folder: string, clock: Clock): Promise<GraphStore> {
    const store = await openSqliteGraphStore({folder, clock, readWorkers, ...options});
    folders.set(store, folder);
    return store;
  }

  return {
    open: ({clock}) => openIn(mkdtempSync(join(root, 'store-')), clock),
    async reopen(store, {clock}) {
      await store.close();
      return openIn(must(folders.get(store), 'the folder of the store'), clock);
    },
  };
}
