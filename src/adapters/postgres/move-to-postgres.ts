import {createHash, type Hash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {systemClock} from '../clock/system-clock.ts';
import type {Row, SqlValue, Work} from '../sql/statement.ts';
import {blind, read} from '../sql/statement.ts';
import {FORMAT} from '../sql/tables.ts';
import {databasePath} from '../sqlite/data-file.ts';
import {openSqliteGraphStore} from '../sqlite/sqlite-graph-store.ts';
import {columnTypes} from './database.ts';
import {PgConnection} from './pg-connection.ts';
import {asServiceError, DatabaseRefused} from './postgres-error.ts';
import {POSTGRES_TABLES} from './postgres-tables.ts';

const ROWS_PER_STEP = 2000;

export interface MoveOptions {
  /** A data folder whose service is stopped. */
  readonly folder: string;
  readonly url: string;
  readonly onProgress?: (table: string, rows: number) => void;
}

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** Of all rows in the order of their keys, the same on both sides. */
  readonly sha256: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

type Run = (work: Work<readonly Row[]>) => Promise<readonly Row[]>;

/**
 * Copies an embedded database to an empty PostgreSQL, history and branches included, in one transaction: it is there
 * whole or not at all. Every table is then read back and compared with its source by hash, before anything is kept.
 */
export async function moveToPostgres({folder, url, onProgress}: MoveOptions): Promise<readonly MovedTable[]> {
  if (!existsSync(databasePath(folder))) throw new DatabaseRefused(`There is no database in ${folder}.`);
  const types = new Map<string, string>();
  const target = await PgConnection.open({url, types}).catch((error: unknown) => {
    throw new DatabaseRefused(`The database cannot be reached: ${(error as Error).message}`, {cause: error});
  });
  // Opening it brings it to this version's format, and refuses a folder that a service works on.
  const source = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0}).catch(
    async (error: unknown) => {
      await target.close();
      throw error;
    },
  );
  try {
    const there = `SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()`;
    const [tables] = await target.exec(there);
    if (tables![0] !== 0) throw new DatabaseRefused('The database is not empty; give it one of its own.');
    await target.exec('BEGIN');
    for (const sql of POSTGRES_TABLES) await target.exec(sql);
    for (const [column, type] of await columnTypes(target)) types.set(column, type);
    const fromSource: Run = async work => source.reader.drive(work);
    const fromTarget: Run = work => target.drive(work);
    const moved: MovedTable[] = [];
    for (const table of sourceTables(sql => source.reader.run(read(sql, [])))) {
      const copied = await walk(table, fromSource, rows => target.drive(put(table, rows)));
      const arrived = await walk(table, fromTarget, async () => undefined);
      if (copied.sha256 !== arrived.sha256) {
        throw new DatabaseRefused(`The table ${table.name} did not arrive as it was sent; nothing was kept.`);
      }
      onProgress?.(table.name, copied.rows);
      moved.push({table: table.name, ...copied});
    }
    await target.drive(put({name: 'meta', columns: ['key', 'value'], key: []}, [['format', String(FORMAT)]]));
    await target.commit();
    return moved;
  } catch (error) {
    if (target.lost === undefined) await target.rollback().catch(() => undefined);
    throw asServiceError(error);
  } finally {
    await target.close();
    await source.close();
  }
}

function sourceTables(ask: (sql: string) => readonly Row[]): readonly Table[] {
  const names = ask(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return names.map(([name]) => {
    const columns = ask(`SELECT name, pk FROM pragma_table_info('${name}') ORDER BY cid`);
    const key = columns.filter(column => column[1] !== 0).sort((a, b) => Number(a[1]) - Number(b[1]));
    return {
      name: String(name),
      columns: columns.map(column => String(column[0])),
      key: key.map(column => String(column[0])),
    };
  });
}

/** All rows of a table in the order of their keys, some at a time. */
async function walk(
  {name, columns, key}: Table,
  run: Run,
  take: (rows: readonly Row[]) => Promise<void>,
): Promise<{readonly rows: number; readonly sha256: string}> {
  const hash: Hash = createHash('sha256');
  const places = key.map(column => columns.indexOf(column));
  let count = 0;
  let last: readonly SqlValue[] | undefined;
  for (;;) {
    const after =
      last === undefined
        ? ''
        : ` WHERE (${key.join(', ')}) > (${key.map((_, place) => `?${place + 1}`).join(', ')})`;
    const sql = `SELECT ${columns.join(', ')} FROM ${name}${after} ORDER BY ${key.join(', ')} LIMIT ${ROWS_PER_STEP}`;
    const rows = await run(asked(sql, last ?? []));
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    await take(rows);
    count += rows.length;
    if (rows.length < ROWS_PER_STEP) return {rows: count, sha256: hash.digest('hex')};
    last = places.map(place => rows.at(-1)![place]!);
  }
}

function* asked(sql: string, params: readonly SqlValue[]): Work<readonly Row[]> {
  return yield read(sql, params);
}

function* put({name, columns}: Table, rows: readonly Row[]): Work<void> {
  const places = columns.map((_, place) => `?${place + 1}`).join(', ');
  const sql = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${places})`;
  for (const row of rows) yield blind(sql, row);
}
