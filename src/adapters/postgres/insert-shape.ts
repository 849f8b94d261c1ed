import type {SqlValue} from '../sql/statement.ts';

/** The types of the columns of every table, as `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** An INSERT of one row that can be sent for many rows at once. */
export interface InsertShape {
  readonly table: string;
  /** Places of the parameters that make the key of an ON CONFLICT … DO UPDATE; none when rows never meet. */
  readonly key: readonly number[];
  /** The same for any number of rows: each parameter is then an array. Tells the first column of rows that it made. */
  readonly manyRows: string;
}

const INSERT =
  /^INSERT INTO (?<table>\w+) \((?<columns>[^)]+)\)\s+VALUES \((?<values>[^()]+)\)(?<rest>(?:\s+ON CONFLICT \((?<key>[^)]+)\) DO (?<deed>UPDATE|NOTHING).*)?)$/s;

export function insertShape(sql: string, types: ColumnTypes): InsertShape | undefined {
  const parts = INSERT.exec(sql)?.groups;
  if (parts === undefined) return undefined;
  const list = (text: string) => text.split(',').map(item => item.trim());
  const table = parts.table!;
  const columns = list(parts.columns!);
  const values = list(parts.values!);
  if (columns.length !== values.length) return undefined;
  const places = new Map<string, number>();
  const arrays: string[] = [];
  const shown: string[] = [];
  for (const [index, value] of values.entries()) {
    const place = /^\?(\d+)$/.exec(value)?.[1];
    if (place === undefined) {
      shown.push(value);
      continue;
    }
    const type = types.get(`${table}.${columns[index]}`);
    if (type === undefined) return undefined;
    // Texts of documents travel as texts: an array of documents would be parsed twice.
    arrays[Number(place) - 1] = type === 'json' ? 'text' : type;
    shown.push(type === 'json' ? `v.p${place}::json` : `v.p${place}`);
    places.set(columns[index]!, Number(place) - 1);
  }
  const names = arrays.map((_, index) => `p${index + 1}`).join(', ');
  const unnested = arrays.map((type, index) => `?${index + 1}::${type}[]`).join(', ');
  const key = parts.deed === 'UPDATE' ? list(parts.key!).map(column => places.get(column)!) : [];
  return {
    table,
    key,
    manyRows: `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${shown.join(', ')} FROM unnest(${unnested}) AS v(${names})${parts.rest} RETURNING ${columns[0]}`,
  };
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
