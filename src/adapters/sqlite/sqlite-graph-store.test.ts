import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import type {GraphStore} from '../../ports/graph-store.ts';
import {graphStoreContract} from '../../ports/graph-store-contract.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const root = mkdtempSync(join(tmpdir(), 'trellis-contract-'));
const folders = new WeakMap<GraphStore, string>();
afterAll(() => rmSync(root, {recursive: true, force: true}));

for (const readWorkers of [0, 1]) {
  graphStoreContract(readWorkers === 0 ? 'SQLite on one thread' : 'SQLite with a read worker', {
    async open({clock}) {
      const folder = mkdtempSync(join(root, 'store-'));
      const store = await openSqliteGraphStore({folder, clock, readWorkers});
      folders.set(store, folder);
      return store;
    },
    async reopen(store, {clock}) {
      const folder = folders.get(store)!;
      await store.close();
      const next = await openSqliteGraphStore({folder, clock, readWorkers});
      folders.set(next, folder);
      return next;
    },
  });
}
