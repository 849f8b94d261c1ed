import {systemClock} from '../adapters/clock/system-clock.ts';
import {StoreRefused} from '../adapters/sqlite/sqlite-error.ts';
import {openSqliteGraphStore, type SqliteGraphStore} from '../adapters/sqlite/sqlite-graph-store.ts';
import type {StoreWatch} from '../adapters/sqlite/store-watch.ts';
import {parseBranchName} from '../domain/branch/branch.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import type {Settings} from './settings/read.ts';

export type OpenStore = (folder: string, settings: Settings, watch?: StoreWatch) => Promise<SqliteGraphStore>;

/** Opens the embedded graph in the data folder, or says in a sentence why it cannot be used. */
export async function openStore(
  folder: string,
  settings: Settings,
  watch?: StoreWatch,
): Promise<SqliteGraphStore> {
  try {
    return await openSqliteGraphStore({
      folder,
      clock: systemClock,
      defaultBranch: parseBranchName(settings.initialDefaultBranch),
      readMillisMax: settings.querySecondsMax * 1000,
      ...(watch === undefined ? {} : {watch}),
    });
  } catch (error) {
    if (error instanceof StoreRefused) throw new StartRefused(EXIT.dataFolder, error.message, {cause: error});
    throw error;
  }
}
