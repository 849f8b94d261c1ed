import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import type {BranchName} from '../../domain/branch/branch.ts';
import {GLOBAL_BRANCH} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {migrate} from '../sql/migrations.ts';
import {change, read} from '../sql/statement.ts';
import {FORMAT, TABLES} from '../sql/tables.ts';
import type {Connection} from './connection.ts';
import {StoreRefused} from './sqlite-error.ts';

export const DEFAULT_SERIAL = GLOBAL_SERIAL + 1;

/** Marks the file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x7265_6c69;

export interface Identity {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  readonly createdAt: Instant;
}

export const databasePath = (folder: string): string => join(folder, 'trellis.db');

/** How many pages stand in the write-ahead log and not yet in the database. */
export function pagesInLog(connection: Connection): number {
  const [, pages, moved] = connection.run(read('PRAGMA wal_checkpoint(NOOP)', []))[0] as readonly number[];
  return pages! - moved!;
}

/** Makes the tables when the database has none, and refuses one that is not ours to write. */
export function prepareDatabase(
  connection: Connection,
  path: string,
  defaultBranch: BranchName,
  now: Instant,
): {readonly identity: Identity; readonly isNew: boolean} {
  const isNew = prepareTables(connection, path, defaultBranch, now);
  connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  return {identity: readIdentity(connection, path), isNew};
}

function prepareTables(
  connection: Connection,
  path: string,
  defaultBranch: BranchName,
  now: Instant,
): boolean {
  const application = pragma(connection, 'application_id');
  const hasTables = Number(connection.run(read('SELECT count(*) FROM sqlite_schema', []))[0]![0]) > 0;
  if (hasTables) {
    if (application !== APPLICATION_ID)
      throw new StoreRefused(`${path} is a database of another program; choose another folder.`);
    const format = pragma(connection, 'user_version');
    if (format > FORMAT) {
      throw new StoreRefused(
        `${path} was written by a newer version of this service (format ${format}, this version knows ${FORMAT}); upgrade the service.`,
      );
    }
    connection.exec('PRAGMA journal_mode = WAL');
    if (format < FORMAT) migrateTables(connection, format);
    return false;
  }
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
  for (const table of TABLES) connection.exec(table);
  const rows = [
    ['deployment_id', randomUUID()],
    ['default_branch', defaultBranch],
    ['created_at', String(now)],
  ] as const;
  for (const row of rows) connection.run(change('INSERT INTO meta (key, value) VALUES (?1, ?2)', row));
  const branch = `INSERT INTO branch (id, uuid, name, description, created, sync, deleted, purged) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)`;
  connection.run(
    change(branch, [GLOBAL_SERIAL, randomUUID(), GLOBAL_BRANCH, 'Data that every branch shares', now, 0]),
  );
  connection.run(change(branch, [DEFAULT_SERIAL, randomUUID(), defaultBranch, 'Default Branch', now, 1]));
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}; COMMIT`);
  return true;
}

/** The file is of the old format or of the new one, whenever the process ends. */
function migrateTables(connection: Connection, format: number): void {
  connection.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
  connection.drive(migrate(format));
  connection.exec(`PRAGMA user_version = ${FORMAT}; COMMIT`);
}

function pragma(connection: Connection, name: string): number {
  return Number(connection.run(read(`PRAGMA ${name}`, []))[0]![0]);
}

function readIdentity(connection: Connection, path: string): Identity {
  const meta = new Map(connection.run(read('SELECT key, value FROM meta', [])).map(row => [row[0], row[1]]));
  const [id, branch, created] = ['deployment_id', 'default_branch', 'created_at'].map(key => meta.get(key));
  if (typeof id !== 'string' || typeof branch !== 'string' || typeof created !== 'string') {
    throw new StoreRefused(`${path} is damaged: it does not say what it is. Restore it from a backup.`);
  }
  return {deploymentId: id, defaultBranch: branch as BranchName, createdAt: Number(created) as Instant};
}
