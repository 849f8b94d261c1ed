import {randomUUID} from 'node:crypto';
import type {BranchName} from '../../domain/branch/branch.ts';
import {GLOBAL_BRANCH} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {migrate} from '../sql/migrations.ts';
import type {Statement, Work} from '../sql/statement.ts';
import {blind, read} from '../sql/statement.ts';
import {FORMAT} from '../sql/tables.ts';
import type {CommitLock} from './commit-lock.ts';
import {lockOf} from './commit-lock.ts';
import type {ColumnTypes} from './many-rows.ts';
import type {PgConnection} from './pg-connection.ts';
import {DatabaseRefused} from './postgres-error.ts';
import {inPostgres, POSTGRES_TABLES} from './postgres-tables.ts';

export const DEFAULT_SERIAL = GLOBAL_SERIAL + 1;

const SERVER_VERSION_MIN = 150_000;

export interface Identity {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  readonly createdAt: Instant;
}

export interface PreparedDatabase {
  readonly identity: Identity;
  readonly isNew: boolean;
  readonly lock: CommitLock;
}

/**
 * Makes the tables when the database has none, one server at a time, and refuses one that is not ours to write.
 * `types` gets the types of all columns.
 */
export async function prepareDatabase(
  connection: PgConnection,
  defaultBranch: BranchName,
  now: Instant,
  types: Map<string, string>,
): Promise<PreparedDatabase> {
  const [about] = await connection.exec(
    `SELECT version(), current_setting('server_version_num')::int, current_setting('server_encoding')`,
  );
  const [version, number, encoding] = about!;
  if ((number as number) < SERVER_VERSION_MIN) {
    throw new DatabaseRefused(`PostgreSQL 15 or newer is needed; this server is ${version}.`);
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseRefused(`The database must have the encoding UTF8; this one has ${encoding}.`);
  }
  // Two servers that start on an empty database at once: one makes the tables, the other finds them.
  await connection.exec('BEGIN', `SELECT pg_advisory_xact_lock(hashtext('trellis tables'))`);
  try {
    const isNew = await prepareTables(connection, defaultBranch, now);
    const identity = readIdentity(await connection.run(read('SELECT key, value FROM meta', [])));
    for (const [column, type] of await columnTypes(connection)) types.set(column, type);
    await connection.commit();
    return {identity, isNew, lock: lockOf(String(version))};
  } catch (error) {
    await connection.rollback().catch(() => undefined);
    throw error;
  }
}

async function prepareTables(
  connection: PgConnection,
  defaultBranch: BranchName,
  now: Instant,
): Promise<boolean> {
  const tables = await connection.exec(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`,
  );
  const names = new Set(tables.map(row => row[0]));
  if (names.size > 0 && !(names.has('meta') && names.has('commits'))) {
    throw new DatabaseRefused(
      'The database holds tables of another program; give this service one of its own.',
    );
  }
  if (names.size === 0) for (const sql of POSTGRES_TABLES) await connection.exec(sql);
  const [row] = await connection.run(read('SELECT value FROM meta WHERE key = ?1', ['format']));
  if (row === undefined) {
    await connection.drive(firstRows(defaultBranch, now));
    return true;
  }
  const format = Number(row[0]);
  if (format > FORMAT) {
    throw new DatabaseRefused(
      `The database was written by a newer version of this service (format ${format}, this version knows ${FORMAT}); upgrade the service.`,
    );
  }
  if (format < FORMAT) {
    await connection.drive(inDialect(migrate(format)));
    await connection.drive(noteFormat());
  }
  return false;
}

/** The steps of a migration are written in the words of the room. */
function* inDialect(work: Work<void>): Work<void> {
  let step = work.next([]);
  while (step.done !== true) {
    const statement: Statement = {...step.value, sql: inPostgres(step.value.sql)};
    step = work.next(yield statement);
  }
}

function* noteFormat(): Work<void> {
  yield blind(
    `INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ['format', String(FORMAT)],
  );
}

function* firstRows(defaultBranch: BranchName, now: Instant): Work<void> {
  yield* noteFormat();
  const rows = [
    ['deployment_id', randomUUID()],
    ['default_branch', defaultBranch],
    ['created_at', String(now)],
  ] as const;
  for (const row of rows) yield blind('INSERT INTO meta (key, value) VALUES (?1, ?2)', row);
  const branch = `INSERT INTO branch (id, uuid, name, description, created, sync, deleted, purged)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)`;
  const shared = 'Data that every branch shares';
  yield blind(branch, [GLOBAL_SERIAL, randomUUID(), GLOBAL_BRANCH, shared, now, 0]);
  yield blind(branch, [DEFAULT_SERIAL, randomUUID(), defaultBranch, 'Default Branch', now, 1]);
}

function readIdentity(rows: readonly (readonly unknown[])[]): Identity {
  const meta = new Map(rows.map(row => [row[0], row[1]]));
  const [id, branch, created] = ['deployment_id', 'default_branch', 'created_at'].map(key => meta.get(key));
  if (typeof id !== 'string' || typeof branch !== 'string' || typeof created !== 'string') {
    throw new DatabaseRefused('The database does not say what it is; restore it from a backup.');
  }
  return {deploymentId: id, defaultBranch: branch as BranchName, createdAt: Number(created) as Instant};
}

export async function columnTypes(connection: PgConnection): Promise<ColumnTypes> {
  const rows = await connection.exec(
    `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()`,
  );
  return new Map(rows.map(([table, column, type]) => [`${table}.${column}`, String(type)]));
}
