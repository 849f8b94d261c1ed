import type {SqlValue} from '../sql/statement.ts';

/** The types of the columns of every table, as `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** A write of one row, as it is sent for many rows at once: each parameter is then an array. */
export interface ManyRows {
  readonly sql: string;
}

const INSERT =
  /^INSERT INTO (?<table>\w+) \((?<columns>[^)]+)\)\s+VALUES \((?<values>[^()]+)\)(?<rest>(?:\s+ON CONFLICT .*)?)$/s;
const UPDATE = /^UPDATE (?<table>\w+) SET (?<set>.+) WHERE (?<where>.+)$/s;
const DELETE = /^DELETE FROM (?<table>\w+) WHERE (?<where>[^()]+)$/s;
const MOVE =
  /^WITH gone AS \(DELETE FROM (?<table>\w+) WHERE (?<where>[^()]+?)\s+RETURNING (?<columns>[^)]+)\)\s+(?<insert>INSERT INTO (?<history>\w+) \((?<names>[^)]+)\))\s+SELECT (?<shown>.+) FROM gone WHERE (?<kept>.+)$/s;
const COPY =
  /^(?<insert>INSERT INTO (?<history>\w+) \((?<names>[^)]+)\))\s+SELECT (?<shown>.+) FROM (?<table>\w+) WHERE (?<where>.+)$/s;

export function manyRows(sql: string, types: ColumnTypes): ManyRows | undefined {
  const insert = INSERT.exec(sql)?.groups;
  if (insert !== undefined) return manyInserted(insert, types);
  const move = MOVE.exec(sql)?.groups;
  const other = move ?? COPY.exec(sql)?.groups ?? UPDATE.exec(sql)?.groups ?? DELETE.exec(sql)?.groups;
  if (other === undefined) return undefined;
  const found = new Types(types);
  found.compare(other.table!, sql);
  if (other.names !== undefined) found.place(other.history!, other.names, other.shown!);
  const rows = found.rows();
  if (rows === undefined) return undefined;
  const {where, insert: into, shown, kept, columns, set, table} = other;
  const v = (text: string) => found.inRow(text);
  if (move !== undefined) {
    return many(`WITH v AS (SELECT * FROM ${rows}), gone AS (DELETE FROM ${table} USING v WHERE ${v(where!)}
      RETURNING v.*, ${columns}) ${into} SELECT ${v(shown!)} FROM gone AS v WHERE ${v(kept!)}`);
  }
  if (into !== undefined)
    return many(`${into} SELECT ${v(shown!)} FROM ${rows} CROSS JOIN ${table} WHERE ${v(where!)}`);
  if (set !== undefined) return many(`UPDATE ${table} SET ${v(set)} FROM ${rows} WHERE ${v(where!)}`);
  return many(`DELETE FROM ${table} USING ${rows} WHERE ${v(where!)}`);
}

const many = (sql: string): ManyRows => ({sql});

function manyInserted(parts: Record<string, string | undefined>, types: ColumnTypes): ManyRows | undefined {
  const {table, columns, values, rest} = parts;
  const found = new Types(types);
  found.place(table!, columns!, values!);
  const rows = found.rows();
  if (rows === undefined) return undefined;
  return many(`INSERT INTO ${table} (${columns}) SELECT ${found.inRow(values!)} FROM ${rows}${rest}`);
}

const listOf = (text: string): string[] => text.split(',').map(item => item.trim());

/** The types of parameters, from the columns that they meet. */
class Types {
  readonly #columns: ColumnTypes;
  readonly #found: (string | undefined)[] = [];

  constructor(columns: ColumnTypes) {
    this.#columns = columns;
  }

  /** Columns of the table that are compared with a parameter or set to one. */
  compare(table: string, sql: string): void {
    for (const [, column, place] of sql.matchAll(/\b(\w+) (?:=|<|<=|>|>=) \?(\d+)/g)) {
      this.#note(Number(place), `${table}.${column}`);
    }
  }

  /** Columns in a list, beside what is put into each. */
  place(table: string, columns: string, values: string): void {
    const names = listOf(columns);
    for (const [index, value] of listOf(values).entries()) {
      const place = /^\?(\d+)$/.exec(value)?.[1];
      if (place !== undefined) this.#note(Number(place), `${table}.${names[index]}`);
    }
  }

  /** The rows as a table `v`; undefined when the type of a parameter is not known. */
  rows(): string | undefined {
    const types = Array.from(this.#found);
    if (types.length === 0 || types.some(type => type === undefined)) return undefined;
    // Texts of documents travel as texts: an array of documents would be parsed twice.
    const arrays = types.map((type, index) => `?${index + 1}::${type === 'json' ? 'text' : type}[]`);
    const names = types.map((_, index) => `p${index + 1}`);
    return `unnest(${arrays.join(', ')}) AS v(${names.join(', ')})`;
  }

  inRow(text: string): string {
    return text.replace(/\?(\d+)/g, (_, place: string) =>
      this.#found[Number(place) - 1] === 'json' ? `v.p${place}::json` : `v.p${place}`,
    );
  }

  #note(place: number, column: string): void {
    this.#found[place - 1] ??= this.#columns.get(column);
  }
}

/** One array for each parameter, in the text form of the engine. */
export function arraysOf(rows: readonly (readonly SqlValue[])[]): readonly string[] {
  const arrays: string[] = [];
  const [first] = rows;
  for (let place = 0; place < first!.length; place += 1) {
    let text = '{';
    for (const [index, row] of rows.entries()) {
      const value = row[place]!;
      if (index > 0) text += ',';
      text += typeof value === 'number' ? value : value === null ? 'NULL' : quoted(value);
    }
    arrays.push(`${text}}`);
  }
  return arrays;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
