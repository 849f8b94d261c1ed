import type {SqlValue, Statement} from '../sql/statement.ts';
import type {ColumnTypes, InsertShape} from './insert-shape.ts';
import {arraysOf, insertShape} from './insert-shape.ts';

/** Writes of one statement that are sent together. */
export interface WriteGroup {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** How many rows must come of it, and what is wrong when they do not. */
  readonly expected: Expectation | undefined;
}

export interface Expectation {
  readonly rows: number;
  /** From the first columns of the rows that were made. */
  readonly refusal: (made: ReadonlySet<SqlValue>) => Error;
}

interface Group {
  readonly sql: string;
  readonly shape: InsertShape | undefined;
  readonly rows: (readonly SqlValue[])[];
  readonly keys: Set<string>;
  readonly refusals: (() => Error)[];
}

interface Form {
  readonly shape: InsertShape | undefined;
  /** Everything that it reads or writes. */
  readonly tables: readonly string[];
}

const TABLE = /\b(?:INTO|UPDATE|FROM) (\w+)/g;

/** Arrays longer than this cost more than they save. */
const ROWS_PER_GROUP_MAX = 2000;

/**
 * Writes at whose result nobody looks, gathered until something is read. Rows of one INSERT become one statement.
 * Statements on different tables may change places, as nothing in the layout ties tables together; those on one table
 * stay in order.
 */
export class BlindWrites {
  readonly #types: ColumnTypes;
  readonly #forms = new Map<string, Form>();
  #groups: Group[] = [];
  readonly #lastOf = new Map<string, Group>();
  #rows = 0;

  constructor(types: ColumnTypes) {
    this.#types = types;
  }

  get rows(): number {
    return this.#rows;
  }

  get isDoubtful(): boolean {
    return this.#groups.some(group => group.refusals.length > 0);
  }

  add({sql, params, refusal}: Statement): void {
    this.#rows += 1;
    const {shape, tables} = this.#formOf(sql);
    // Nothing passes a statement that is on no table, such as a savepoint.
    if (tables.length === 0) this.#lastOf.clear();
    const key = shape === undefined ? '' : shape.key.map(place => params[place]).join();
    const last = shape === undefined ? undefined : this.#lastOf.get(shape.table);
    const joins =
      last !== undefined &&
      last.sql === sql &&
      last.rows.length < ROWS_PER_GROUP_MAX &&
      !(key !== '' && last.keys.has(key));
    const group = joins ? last : {sql, shape, rows: [], keys: new Set<string>(), refusals: []};
    if (!joins) {
      this.#groups.push(group);
      for (const table of tables) this.#lastOf.set(table, group);
    }
    group.rows.push(params);
    if (key !== '') group.keys.add(key);
    if (refusal !== undefined) group.refusals.push(refusal);
  }

  /** The same change for several lists of parameters, as few statements as can be. */
  each(sql: string, lists: readonly (readonly SqlValue[])[]): readonly WriteGroup[] {
    const {shape} = this.#formOf(sql);
    const group: Group = {sql, shape, rows: [...lists], keys: new Set(), refusals: []};
    return written(group);
  }

  take(): readonly WriteGroup[] {
    const groups = this.#groups.flatMap(group => written(group));
    this.clear();
    return groups;
  }

  /** Forgets the statement and all that came after it; false when it is not among those gathered. */
  cutBefore(sql: string): boolean {
    const place = this.#groups.findLastIndex(group => group.sql === sql);
    if (place < 0) return false;
    this.#groups.length = place;
    this.#lastOf.clear();
    this.#rows = this.#groups.reduce((sum, group) => sum + group.rows.length, 0);
    return true;
  }

  clear(): void {
    this.#groups = [];
    this.#lastOf.clear();
    this.#rows = 0;
  }

  #formOf(sql: string): Form {
    const known = this.#forms.get(sql);
    if (known !== undefined) return known;
    const tables = new Set(Array.from(sql.matchAll(TABLE), match => match[1]!));
    const form = {shape: insertShape(sql, this.#types), tables: [...tables]};
    this.#forms.set(sql, form);
    return form;
  }
}

function written({sql, shape, rows, refusals}: Group): readonly WriteGroup[] {
  if (shape === undefined || rows.length === 1) {
    const expectation = (place: number): Expectation | undefined =>
      refusals[place] === undefined ? undefined : {rows: 1, refusal: () => refusals[place]!()};
    return rows.map((params, place) => ({sql, params, expected: expectation(place)}));
  }
  const expected: Expectation | undefined =
    refusals.length === 0
      ? undefined
      : {
          rows: rows.length,
          refusal: made => refusals[rows.findIndex(row => !made.has(row[0]!))]!(),
        };
  return [{sql: shape.manyRows, params: arraysOf(rows), expected}];
}
