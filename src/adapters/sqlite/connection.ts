import type {StatementSync} from 'node:sqlite';
import {DatabaseSync} from 'node:sqlite';
import {assert} from '../../base/assert.ts';
import {BoundedMap} from '../../base/bounded-map.ts';
import type {Row, SqlValue, Statement, Work} from '../sql/statement.ts';
import {type HeldRows, heldRows} from './held-rows.ts';
import {addFunctions} from './sqlite-dialect.ts';
import type {StatementWatch} from './store-watch.ts';

const STATEMENTS_MAX = 2000;
const CACHE_KIBIBYTES = 65_536;
const MAPPED_BYTES = 1_073_741_824;
const BUSY_MILLIS = 5000;

const ONE_CHANGED: readonly Row[] = [[1]];

interface Prepared {
  readonly statement: StatementSync;
  /** Where its rows are held back, if they may be; and all rows held back that it may see. */
  readonly holder: HeldRows | undefined;
  readonly seen: readonly HeldRows[];
}

export interface ConnectionOptions {
  readonly readOnly: boolean;
}

/** Called with each statement as it runs; for tests and for whoever wants to see them. */
export type StatementListener = (sql: string) => void;

/** One connection with its prepared statements. It drives the SQL room without ever waiting. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new BoundedMap<string, Prepared>(STATEMENTS_MAX);
  readonly #held = heldRows();
  onStatement: StatementListener | undefined;
  /** Statements are timed only while somebody watches. */
  watch: StatementWatch | undefined;

  constructor(path: string, {readOnly}: ConnectionOptions) {
    this.#database = new DatabaseSync(path, {readOnly});
    addFunctions(this.#database);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_MILLIS}; PRAGMA cache_size = -${CACHE_KIBIBYTES};
      PRAGMA mmap_size = ${MAPPED_BYTES}; PRAGMA temp_store = MEMORY`);
  }

  /** Begins, ends or divides a transaction: rows held back are in it, unless it is taken back. */
  exec(sql: string): void {
    const isKept = this.isInTransaction && !sql.startsWith('ROLLBACK');
    for (const held of this.#held) {
      if (isKept) while (this.#writeSome(held));
      else held.clear();
    }
    this.#database.exec(sql);
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  run(statement: Statement): readonly Row[] {
    if (statement.all !== undefined) {
      return statement.all.map(each => this.run(each)) as unknown as readonly Row[];
    }
    this.onStatement?.(statement.sql);
    const {watch} = this;
    if (watch === undefined) return this.#run(statement);
    const start = performance.now();
    try {
      return this.#run(statement);
    } finally {
      watch(statement, performance.now() - start);
    }
  }

  /** Writes some of the rows held back that the statement may see; false when none are left, and it may run. */
  prepares({sql, all}: Statement): boolean {
    return all === undefined
      ? this.#prepare(sql).seen.some(held => this.#writeSome(held))
      : all.some(each => this.prepares(each));
  }

  #run(statement: Statement): readonly Row[] {
    const {statement: prepared, holder, seen} = this.#prepare(statement.sql);
    if (holder !== undefined && statement.isBlind) {
      if (holder.isFull) this.#writeSome(holder);
      holder.add(statement.params);
      return ONE_CHANGED;
    }
    for (const held of seen) while (this.#writeSome(held));
    if (statement.lists !== undefined) return [[runEach(prepared, statement.lists)]];
    if (statement.writes) {
      const {changes} = prepared.run(...statement.params);
      if (changes === 1) return ONE_CHANGED;
      if (changes === 0 && statement.refusal !== undefined) throw statement.refusal();
      return [[Number(changes)]];
    }
    return prepared.all(...(statement.params as SqlValue[])) as unknown as Row[];
  }

  #writeSome(held: HeldRows): boolean {
    const next = held.next();
    if (next === undefined) return false;
    assert(this.isInTransaction, 'rows are held back within a transaction');
    const start = performance.now();
    runEach(this.#prepare(next.sql).statement, next.lists!);
    this.watch?.(next, performance.now() - start);
    return true;
  }

  drive<T>(work: Work<T>): T {
    let step = work.next([]);
    while (step.done !== true) {
      let rows: readonly Row[];
      try {
        rows = this.run(step.value);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step.value;
  }

  /** All reads of `body` see one state of the database. */
  reading<T>(body: () => T): T {
    this.#prepare('BEGIN').statement.run();
    try {
      return body();
    } finally {
      this.#endReading();
    }
  }

  /** All that `body` writes, or nothing. */
  writing<T>(body: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const value = body();
      this.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.isInTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** There is nothing to commit. On a damaged database the engine may refuse even that, and must not be left inside. */
  #endReading(): void {
    for (const end of ['COMMIT', 'ROLLBACK']) {
      try {
        if (this.#database.isTransaction) this.#prepare(end).statement.run();
        return;
      } catch {
        // What could not be read was told by the read itself.
      }
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const holder = this.#held.find(held => held.takes(sql));
    const seen = this.#held.filter(held => held !== holder && held.isSeenBy(sql));
    const prepared = {statement, holder, seen};
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** How many rows were changed by all of them. */
function runEach(statement: StatementSync, lists: readonly (readonly SqlValue[])[]): number {
  let sum = 0;
  for (const params of lists) sum += Number(statement.run(...params).changes);
  return sum;
}
