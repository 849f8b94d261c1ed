import {DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {FOREVER} from '../../src/domain/time/instant.ts';

export type RawRow = readonly SQLInputValue[];

/** The engine with the settings of the store and nothing of the store. */
export function openRaw(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
    PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY`);
  return database;
}

export function prepareRaw(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

export const rawRows = (statement: StatementSync, ...parameters: SQLInputValue[]): readonly RawRow[] =>
  statement.all(...parameters) as unknown as readonly RawRow[];

/** The number that stands for a name in the tables. */
export function serialOf(database: DatabaseSync, space: string, like: string): number {
  const statement = prepareRaw(database, 'SELECT id FROM name WHERE space = ?1 AND key LIKE ?2');
  const [row] = rawRows(statement, space, like);
  if (row === undefined) throw new Error(`no ${space} is like ${like}`);
  return row[0] as number;
}

/** The default branch's number in the tables, and the end of an open row. */
export const MAIN_SERIAL = 2;
export const OPEN: number = FOREVER;
