import {DatabaseSync, type StatementSync} from 'node:sqlite';
import type {Row, SqlValue} from '../../src/adapters/sql/statement.ts';
import {read} from '../../src/adapters/sql/statement.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {FOREVER} from '../../src/domain/time/instant.ts';

/** Runs a statement and gives its rows. */
export type Execute = (sql: string, ...parameters: readonly SqlValue[]) => readonly Row[];

/** The engine with the settings of the store and nothing of the store. */
export function openRaw(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
    PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY`);
  return database;
}

/** Each statement is prepared once. */
export function executeOn(database: DatabaseSync): Execute {
  const prepared = new Map<string, StatementSync>();
  return (sql, ...parameters) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statement.setReturnArrays(true);
      prepared.set(sql, statement);
    }
    return statement.all(...parameters) as unknown as readonly Row[];
  };
}

/** On the connection that the store reads with: touches the pages of rows without the store learning of them. */
export const executeBeside =
  (store: SqliteGraphStore): Execute =>
  (sql, ...parameters) =>
    store.reader.run(read(sql, parameters));

/** The number that stands for a name in the tables. */
export function serialOf(execute: Execute, space: string, like: string): number {
  const [row] = execute('SELECT id FROM name WHERE space = ?1 AND key LIKE ?2', space, like);
  if (row === undefined) throw new Error(`no ${space} is like ${like}`);
  return row[0] as number;
}

/** The default branch's number in the tables, and the end of an open row. */
export const MAIN_SERIAL = 2;
export const OPEN: number = FOREVER;
