import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {BranchName} from '../../domain/branch/branch.ts';
import {GLOBAL_BRANCH} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {change, read} from '../sql/statement.ts';
import {FORMAT, TABLES} from '../sql/tables.ts';
import {Connection} from './connection.ts';
import {isBusy, openRefused, StoreRefused} from './sqlite-error.ts';

export const DEFAULT_SERIAL = GLOBAL_SERIAL + 1;

/** Marks the file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x7265_6c69;

export interface Identity {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  readonly createdAt: Instant;
}

export const databasePath = (folder: string): string => join(folder, 'trellis.db');

/**
 * Holds the folder for this process until it ends, however it ends: the lock is the operating system's.
 * Refuses when another process has it.
 */
export function holdFolder(folder: string): Connection {
  const path = join(folder, 'trellis.lock');
  let lock: Connection;
  try {
    lock = new Connection(path, {readOnly: false});
    lock.exec('PRAGMA busy_timeout = 0');
  } catch (error) {
    throw openRefused(path, error);
  }
  try {
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (pid INTEGER)');
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw openRefused(path, error);
    throw new StoreRefused(
      `The data folder ${folder} is in use by another process; stop that one, or choose another folder.`,
      {cause: error},
    );
  }
}

/** Opens the database for writing, made anew when the folder has none. */
export function openDatabase(
  folder: string,
  defaultBranch: BranchName,
  now: Instant,
): {readonly connection: Connection; readonly identity: Identity; readonly isNew: boolean} {
  const path = databasePath(folder);
  const isNew = !existsSync(path);
  try {
    const connection = new Connection(path, {readOnly: false});
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    const made = prepareTables(connection, path, defaultBranch, now);
    return {connection, identity: readIdentity(connection), isNew: isNew || made};
  } catch (error) {
    throw openRefused(path, error);
  }
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
    return false;
  }
  connection.exec('BEGIN IMMEDIATE');
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

function pragma(connection: Connection, name: string): number {
  return Number(connection.run(read(`PRAGMA ${name}`, []))[0]![0]);
}

function readIdentity(connection: Connection): Identity {
  const meta = new Map(connection.run(read('SELECT key, value FROM meta', [])).map(row => [row[0], row[1]]));
  return {
    deploymentId: meta.get('deployment_id') as string,
    defaultBranch: meta.get('default_branch') as BranchName,
    createdAt: Number(meta.get('created_at')) as Instant,
  };
}
