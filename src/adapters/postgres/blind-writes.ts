import {must} from '../../base/assert.ts';
import type {SqlValue, Statement} from '../sql/statement.ts';
import type {ColumnTypes, ManyRows} from './many-rows.ts';
import {arraysOf, manyRows} from './many-rows.ts';

/** Writes of one statement that are sent together. */
export interface WriteGroup {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** What is wrong when a row is there already, by the value that tells such rows apart. */
  readonly refusal: ((value: string) => Error) | undefined;
}

interface Group {
  readonly place: number;
  readonly sql: string;
  readonly form: Form;
  readonly rows: (readonly SqlValue[])[];
  readonly refusals: (() => Error)[];
}

interface Form {
  readonly many: ManyRows | undefined;
  /** Everything that it reads or writes. */
  readonly tables: readonly string[];
  /** The table whose one row it is about, and how many parameters make the key of that row; nothing passes it else. */
  readonly keyed: {readonly table: string; readonly parameters: number} | undefined;
  /**
   * An INSERT that must make its row, as one that fails: to look first costs as much again as to write. `place` is the
   * parameter that tells rows apart.
   */
  readonly strict:
    | {readonly sql: string; readonly many: ManyRows | undefined; readonly place: number}
    | undefined;
}

/** What has been gathered of one table. */
interface TableState {
  /** The last group whose rows are not known by their keys: nothing on the table passes it. */
  barrier: number;
  readonly lastOfKey: Map<string, number>;
}

/** Tables of which several statements write rows, with the columns that their statements begin with. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  ver: ['vid'],
  ix: ['branch', 'attr', 'val', 'sk', 'node'],
  uniq: ['branch', 'con', 'key'],
  edge: ['src', 'rel', 'branch', 'dst'],
};
/** Rows are only ever added to these by drafts, each once. */
const HISTORY: ReadonlySet<string> = new Set(['ixh', 'edgeh']);

const TABLE = /\b(?:INTO|UPDATE|FROM|JOIN) (?!gone\b|SET\b)(\w+)/g;
const PLAIN_INSERT = /^INSERT INTO (\w+) \(([^)]+)\)\s+VALUES/;
const UNLESS_THERE = /\s+ON CONFLICT \((\w+)\) DO NOTHING$/;

/** Arrays longer than this cost more than they save. */
const ROWS_PER_GROUP_MAX = 2000;

/**
 * Writes at whose result nobody looks, gathered until something is read. The same statement about many rows becomes
 * one. To that end statements change places where nobody can tell: on different tables, as nothing in the layout ties
 * tables together, and on one table when they are about different rows.
 */
export class BlindWrites {
  readonly #types: ColumnTypes;
  readonly #forms = new Map<string, Form>();
  readonly #tables = new Map<string, TableState>();
  readonly #lastOf = new Map<string, Group>();
  #groups: Group[] = [];
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
    const form = this.#formOf(sql);
    const key = form.keyed === undefined ? undefined : params.slice(0, form.keyed.parameters).join('\u0000');
    const group = this.#groupFor(sql, form, key);
    group.rows.push(params);
    if (refusal !== undefined) group.refusals.push(refusal);
    if (form.keyed === undefined) {
      for (const table of form.tables) this.#stateOf(table).barrier = group.place;
      // Nothing passes a statement that is on no table, such as a savepoint.
      if (form.tables.length === 0) this.#lastOf.clear();
    } else if (key !== '') {
      this.#stateOf(form.keyed.table).lastOfKey.set(key!, group.place);
    }
  }

  /** The same change for several lists of parameters, as few statements as can be. */
  each(sql: string, lists: readonly (readonly SqlValue[])[]): readonly WriteGroup[] {
    return written({place: 0, sql, form: this.#formOf(sql), rows: [...lists], refusals: []});
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
    const kept = this.#groups.slice(0, place);
    this.clear();
    this.#groups = kept;
    this.#rows = kept.reduce((sum, group) => sum + group.rows.length, 0);
    return true;
  }

  clear(): void {
    this.#groups = [];
    this.#lastOf.clear();
    this.#tables.clear();
    this.#rows = 0;
  }

  #groupFor(sql: string, form: Form, key: string | undefined): Group {
    const last = key === undefined || form.many === undefined ? undefined : this.#lastOf.get(sql);
    if (last !== undefined && last.rows.length < ROWS_PER_GROUP_MAX && this.#mayJoin(last, form, key!)) {
      return last;
    }
    const group: Group = {place: this.#groups.length, sql, form, rows: [], refusals: []};
    this.#groups.push(group);
    this.#lastOf.set(sql, group);
    return group;
  }

  /** True when nothing that was gathered behind the group is about the same row. */
  #mayJoin(group: Group, {tables, keyed}: Form, key: string): boolean {
    if (tables.some(table => this.#stateOf(table).barrier > group.place)) return false;
    return key === '' || (this.#stateOf(keyed!.table).lastOfKey.get(key) ?? -1) < group.place;
  }

  #stateOf(table: string): TableState {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    const state = {barrier: -1, lastOfKey: new Map<string, number>()};
    this.#tables.set(table, state);
    return state;
  }

  #formOf(sql: string): Form {
    const known = this.#forms.get(sql);
    if (known !== undefined) return known;
    const tables = [...new Set(Array.from(sql.matchAll(TABLE), match => match[1]!))];
    const many = manyRows(sql, this.#types);
    const form = {many, tables, keyed: keyedIn(sql, tables), strict: this.#strict(sql)};
    this.#forms.set(sql, form);
    return form;
  }

  #strict(sql: string): Form['strict'] {
    const [insert, unless] = [PLAIN_INSERT.exec(sql), UNLESS_THERE.exec(sql)];
    if (insert === null || unless === null) return undefined;
    const place = columnsOf(insert).indexOf(unless[1]!);
    const plain = sql.slice(0, unless.index);
    return {sql: plain, many: manyRows(plain, this.#types), place};
  }
}

const columnsOf = (insert: RegExpExecArray): readonly string[] =>
  insert[2]!.split(',').map(column => column.trim());

/** Which row a statement is about; an INSERT into any other table is about a row that nothing else speaks of. */
function keyedIn(sql: string, tables: readonly string[]): Form['keyed'] {
  const own = tables.filter(table => !HISTORY.has(table));
  const [table, ...more] = own;
  if (more.length > 0) return undefined;
  const insert = PLAIN_INSERT.exec(sql);
  if (table === undefined) return insert === null ? undefined : {table: insert[1]!, parameters: 0};
  const key = KEYS[table];
  if (key === undefined) {
    const isPlain = insert !== null && !sql.includes('DO UPDATE');
    return isPlain ? {table, parameters: 0} : undefined;
  }
  const inserted = insert === null ? [] : columnsOf(insert);
  const isKey = (column: string, place: number) =>
    insert === null ? sql.includes(`${column} = ?${place + 1}`) : inserted[place] === column;
  return key.every(isKey) ? {table, parameters: key.length} : undefined;
}

function written({sql, form, rows, refusals}: Group): readonly WriteGroup[] {
  if (refusals.length === 0) return together(sql, form.many, rows);
  const strict = must(form.strict, 'a write that may be refused makes rows that must not be there');
  const refusal = (value: string) => {
    const refused = rows.findIndex(row => row[strict.place] === value);
    return refusals[Math.max(0, refused)]!();
  };
  return together(strict.sql, strict.many, rows, refusal);
}

const together = (
  sql: string,
  many: ManyRows | undefined,
  rows: Group['rows'],
  refusal?: WriteGroup['refusal'],
): readonly WriteGroup[] =>
  many === undefined || rows.length === 1
    ? rows.map(params => ({sql, params, refusal}))
    : [{sql: many.sql, params: arraysOf(rows), refusal}];
