import type {DatabaseSync} from 'node:sqlite';
import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import {sortKey} from '../../domain/attribute/sort-key.ts';
import type {Dialect, JsonPath} from '../sql/dialect.ts';

const spell = (path: JsonPath): string =>
  `'$${path.map(part => (typeof part === 'number' ? `[${part}]` : `."${part}"`)).join('')}'`;

/** Kinds whose stored form does not sort as their values do. */
const NEEDS_KEY: ReadonlySet<AttributeKind> = new Set(['IPHost', 'IPNetwork', 'DateTime']);

export const sqliteDialect: Dialect = {
  integers: parameter => `json_each(${parameter})`,
  texts: parameter => `json_each(${parameter})`,
  triples: parameter =>
    `(SELECT json_extract(value, '$[0]') AS a, json_extract(value, '$[1]') AS b, json_extract(value, '$[2]') AS c
      FROM json_each(${parameter}))`,
  jsonValue: (document, path) => `json_extract(${document}, ${spell(path)})`,
  jsonText: (document, path) => `(${document} -> ${spell(path)})`,
  jsonContent: json =>
    `CASE substr(${json}, 1, 1) WHEN '"' THEN json_extract(${json}, '$') ELSE NULLIF(${json}, 'null') END`,
  jsonHas: (document, path) => `json_type(${document}, ${spell(path)}) IS NOT NULL`,
  jsonArrayHolds: (document, path, number) =>
    `EXISTS (SELECT 1 FROM json_each(${document}, ${spell(path)}) WHERE value = ${number})`,
  orderable: (kind, value) => (NEEDS_KEY.has(kind) ? `sort_key('${kind}', ${value})` : value),
  orderableJson: (kind, json) => `json_sort_key('${kind}', ${json})`,
  property: (kind, property, value) => `path_value('${kind}', '${property}', ${value})`,
  holdsText: (text, part) => `instr(${text}, ${part}) > 0`,
  orderedArm: arm => arm,
  movesRows: false,
  indexedBy: index => ` INDEXED BY ${index}`,
  greatest: (a, b) => `max(${a}, ${b})`,
  fold: text => `fold(${text})`,
};

/** What SQLite lacks, given to it from here; deterministic, so that it may plan with them. */
export function addFunctions(database: DatabaseSync): void {
  const options = {deterministic: true, directOnly: true};
  database.function('fold', options, value => (value === null ? null : String(value).toLowerCase()));
  database.function('sort_key', options, (kind, value) =>
    value === null ? null : sortKey(kind as AttributeKind, value as string),
  );
  database.function('json_sort_key', options, (kind, json) =>
    json === null ? null : sortKey(kind as AttributeKind, JSON.parse(json as string) as Json),
  );
  database.function('path_value', options, (kind, property, value) =>
    value === null
      ? null
      : (pathValue(kind as AttributeKind, property as string, value as string) as string | number | null),
  );
}
