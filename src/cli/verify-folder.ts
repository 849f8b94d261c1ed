import {join, resolve} from 'node:path';
import {systemClock} from '../adapters/clock/system-clock.ts';
import {LocalObjectStore} from '../adapters/files/local-object-store.ts';
import {timeOrderedIds} from '../adapters/ids/time-ordered-ids.ts';
import {StoreRefused} from '../adapters/sqlite/sqlite-error.ts';
import {openSqliteGraphStore} from '../adapters/sqlite/sqlite-graph-store.ts';
import {verifyAll} from '../app/operations/verify-store.ts';
import type {VerifyReport} from '../ports/graph-store.ts';
import {CLI_EXIT, CommandFailed} from './exit-codes.ts';

export async function verifyFolder(folder: string): Promise<VerifyReport> {
  try {
    const store = await openSqliteGraphStore({folder: resolve(folder), clock: systemClock, readWorkers: 0});
    const objects = new LocalObjectStore(join(resolve(folder), 'storage'), timeOrderedIds(systemClock));
    try {
      return await verifyAll({store, objects});
    } finally {
      await objects.close();
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreRefused)
      throw new CommandFailed(CLI_EXIT.failed, error.message, {cause: error});
    throw error;
  }
}
