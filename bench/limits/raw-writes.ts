import {DatabaseSync} from 'node:sqlite';
import type {Row, SqlValue} from '../../src/adapters/sql/statement.ts';
import {type Clock, nowMicros} from '../clock.ts';
import type {Execute} from './raw-database.ts';
import {executeOn, OPEN, openRaw} from './raw-database.ts';

/** A row as it stands in a table. */
interface WrittenRow {
  readonly table: string;
  readonly row: Row;
}

/** The rows that belong to one object, in the order of the tables. */
export type ObjectRows = readonly WrittenRow[];

/** The instant of the last commit, asked of a file that a service may be writing to. */
export function lastCommit(path: string): number {
  const database = new DatabaseSync(path, {readOnly: true});
  const [row] = executeOn(database)('SELECT max(ts) FROM commits');
  database.close();
  return row![0] as number;
}

/** The objects that commits after an instant, and up to another, made: their rows, in the order they were made. */
export function rowsWritten(path: string, after: number, until: number = OPEN - 1): readonly ObjectRows[] {
  const database = new DatabaseSync(path, {readOnly: true});
  const execute = executeOn(database);
  const objects = new Map<number, WrittenRow[]>();
  const lastOf = new Map<number, number>();
  for (const table of ['node', 'ver', 'ix', 'uniq', 'edge'] as const) {
    const columns = columnsOf(execute, table);
    const at = (row: Row, name: string) => row[columns.indexOf(name)] as number;
    for (const row of execute(WRITTEN[table], after, until)) {
      // An edge is made with the later of its two objects.
      const object =
        table === 'edge'
          ? Math.max(at(row, 'src'), at(row, 'dst'))
          : at(row, table === 'node' ? 'id' : 'node');
      const rows = objects.get(object);
      if (rows === undefined) objects.set(object, [{table, row}]);
      else rows.push({table, row});
      if (table === 'ver') lastOf.set(at(row, 'f'), object);
    }
  }
  // A commit is written with the last of its objects.
  for (const row of execute('SELECT * FROM commits WHERE ts > ?1 AND ts <= ?2', after, until)) {
    const last = lastOf.get(row[0] as number);
    if (last !== undefined) objects.get(last)!.push({table: 'commits', row});
  }
  database.close();
  return [...objects.keys()]
    .sort((a, b) => a - b)
    .map(object => objects.get(object)!)
    .filter(rows => rows[0]!.table === 'node');
}

const WRITTEN = {
  node: `SELECT * FROM node WHERE id IN (SELECT node FROM ver WHERE f > ?1 AND f <= ?2)
    AND NOT EXISTS (SELECT 1 FROM ver WHERE node = node.id AND f <= ?1)`,
  ver: 'SELECT * FROM ver WHERE f > ?1 AND f <= ?2 ORDER BY vid',
  ix: 'SELECT * FROM ix WHERE f > ?1 AND f <= ?2',
  uniq: 'SELECT * FROM uniq WHERE f > ?1 AND f <= ?2',
  edge: 'SELECT * FROM edge WHERE f > ?1 AND f <= ?2',
} as const;

const columnsOf = (execute: Execute, table: string): readonly string[] =>
  execute(`SELECT name FROM pragma_table_info('${table}')`).map(row => row[0] as string);

/** Inserts through plain prepared statements; returns how long each transaction took, in microseconds. */
export function replay(
  path: string,
  objects: readonly ObjectRows[],
  perTransaction: number,
  clock: Clock = nowMicros,
): readonly number[] {
  const database = openRaw(path);
  const execute = executeOn(database);
  const inserts = new Map<string, (row: Row) => void>();
  for (const table of ['node', 'ver', 'ix', 'uniq', 'edge', 'commits']) {
    const marks = columnsOf(execute, table).map(() => '?');
    const statement = database.prepare(`INSERT INTO ${table} VALUES (${marks.join()})`);
    inserts.set(table, row => statement.run(...(row as SqlValue[])));
  }
  const samples: number[] = [];
  for (let from = 0; from < objects.length; from += perTransaction) {
    const batch = objects.slice(from, from + perTransaction);
    const start = clock();
    database.exec('BEGIN IMMEDIATE');
    for (const rows of batch) for (const {table, row} of rows) inserts.get(table)!(row);
    database.exec('COMMIT');
    samples.push(clock() - start);
  }
  database.close();
  return samples;
}
