import process from 'node:process';
import {afterAll} from 'vitest';
import type {Clock} from '../ports/clock.ts';
import {openPostgresGraphStore} from './postgres/open-postgres-store.ts';
import {Databases} from './postgres/postgres-harness.ts';
import {openSqliteGraphStore, type SqliteGraphStore} from './sqlite/sqlite-graph-store.ts';
import type {StoreWatch} from './sqlite/store-watch.ts';

export interface TestStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly readWorkers?: number;
  readonly turnMillis?: number | undefined;
  readonly watch?: StoreWatch;
}

const isPostgres = process.env.TEST_ENGINE === 'postgres';

let databases: Databases | undefined;

/** An empty database for this test file, which goes with it. */
async function newDatabase(): Promise<string> {
  if (databases === undefined) {
    const made = new Databases();
    databases = made;
    afterAll(() => made.close());
  }
  return databases.take();
}

/**
 * A new store on the engine that the run is for: the embedded one, or PostgreSQL with `TEST_ENGINE=postgres`. Tests that
 * look at the connections of the embedded one are left out of runs for the other.
 */
export async function openTestStore(options: TestStoreOptions): Promise<SqliteGraphStore> {
  if (!isPostgres) return openSqliteGraphStore(options);
  const {clock} = options;
  const store = await openPostgresGraphStore({url: await newDatabase(), clock, connectionsMax: 3});
  return store as unknown as SqliteGraphStore;
}

/** What a whole service needs in its environment to run on that engine. */
export const engineEnvironment = async (): Promise<Readonly<Record<string, string>>> =>
  isPostgres ? {SERVICE_DATABASE_URL: await newDatabase(), SERVICE_DATABASE_CONNECTIONS: '3'} : {};
