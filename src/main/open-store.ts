import {systemClock} from '../adapters/clock/system-clock.ts';
import {DatabaseRefused} from '../adapters/postgres/postgres-error.ts';
import {StoreRefused} from '../adapters/sqlite/sqlite-error.ts';
import {openSqliteGraphStore} from '../adapters/sqlite/sqlite-graph-store.ts';
import type {StoreWatch} from '../adapters/sqlite/store-watch.ts';
import {parseBranchName} from '../domain/branch/branch.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import type {ServiceStore} from './service-store.ts';
import type {Settings} from './settings/read.ts';

export type OpenStore = (folder: string, settings: Settings, watch?: StoreWatch) => Promise<ServiceStore>;

/** Opens the graph in PostgreSQL or in the data folder, or says in a sentence why it cannot be used. */
export async function openStore(
  folder: string,
  settings: Settings,
  watch?: StoreWatch,
): Promise<ServiceStore> {
  const common = {
    clock: systemClock,
    defaultBranch: parseBranchName(settings.initialDefaultBranch),
    readMillisMax: settings.querySecondsMax * 1000,
    ...(watch === undefined ? {} : {watch}),
  };
  const {databaseUrl: url, databaseConnections: connectionsMax} = settings;
  try {
    if (url === undefined) return await openSqliteGraphStore({...common, folder});
    const {openPostgresGraphStore} = await import('../adapters/postgres/open-postgres-store.ts');
    return await openPostgresGraphStore({...common, url, connectionsMax});
  } catch (error) {
    if (error instanceof StoreRefused) throw new StartRefused(EXIT.dataFolder, error.message, {cause: error});
    if (error instanceof DatabaseRefused)
      throw new StartRefused(EXIT.database, error.message, {cause: error});
    throw error;
  }
}
