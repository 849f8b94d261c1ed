import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {Dialect, JsonPath, ValueType} from '../sql/dialect.ts';

const step = (part: string | number): string => (typeof part === 'number' ? String(part) : `'${part}'`);

/** What stands at a path, as JSON. */
const at = (document: string, path: JsonPath): string =>
  `(${document})${path.map(part => ` -> ${step(part)}`).join('')}`;

/** What stands at a path, as the characters of a text or the JSON of anything else. */
const textAt = (document: string, path: JsonPath): string => {
  const parents = path.slice(0, -1);
  return `((${parents.length === 0 ? document : at(document, parents)}) ->> ${step(path.at(-1)!)})`;
};

const bytes = (text: string): string => `(${text} COLLATE "C")`;

const address = (value: string): string => `(${value})::inet`;
const addressHex = (value: string): string => `encode(substring(inet_send(${address(value)}) FROM 5), 'hex')`;

/** By version, then address, then prefix length: the engine's own order of addresses is another. */
const addressKey = (value: string): string =>
  bytes(
    `(family(${address(value)})::text || ${addressHex(value)} || lpad(to_hex(masklen(${address(value)})), 2, '0'))`,
  );

function typed(document: string, path: JsonPath, type: ValueType): string {
  const text = textAt(document, path);
  switch (type) {
    case 'boolean':
      return `CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
    case 'number':
      return `${text}::double precision`;
    case 'text':
    case 'structured':
      return bytes(text);
  }
}

export const postgresDialect: Dialect = {
  integers: parameter =>
    `(SELECT u.value FROM unnest(string_to_array(btrim(${parameter}::text, '[]'), ',')::bigint[]) AS u(value))`,
  texts: parameter =>
    `(SELECT ${bytes('u.value')} AS value FROM json_array_elements_text(${parameter}::json) AS u(value))`,
  triples: parameter =>
    `(SELECT (u.value ->> 0)::bigint AS a, (u.value ->> 1)::bigint AS b, (u.value ->> 2)::bigint AS c
      FROM json_array_elements(${parameter}::json) AS u(value))`,
  jsonValue: typed,
  jsonText: (document, path) => bytes(`(${at(document, path)})::text`),
  jsonContent: json =>
    bytes(`(CASE left(${json}, 1) WHEN '"' THEN (${json})::json #>> '{}' ELSE NULLIF(${json}, 'null') END)`),
  jsonHas: (document, path) => `(${at(document, path)}) IS NOT NULL`,
  jsonArrayHolds: (document, path, number) =>
    `COALESCE((${at(document, path)})::jsonb @> '${number}'::jsonb, FALSE)`,
  orderable(kind: AttributeKind, value: string): string {
    if (kind === 'IPHost' || kind === 'IPNetwork') return addressKey(value);
    if (kind === 'DateTime') return bytes(`regexp_replace(${value}, 'Z$', '')`);
    return value;
  },
  orderableJson: (kind, json) => bytes(`sort_key('${kind}', (${json})::json)`),
  property(_kind: AttributeKind, property: string, value: string): string {
    if (property === 'version') return `family(${address(value)})`;
    if (property === 'prefixlen') return `masklen(${address(value)})`;
    return bytes(`('x' || ${addressHex(value)})::varbit::text`);
  },
  holdsText: (text, part) => `strpos(${text}, ${part}) > 0`,
  orderedArm: (arm, rowsMax) => (rowsMax === null ? arm : `(${arm} ORDER BY 1, 2 LIMIT ${rowsMax()})`),
  movesRows: true,
  indexedBy: () => '',
  greatest: (a, b) => `greatest(${a}, ${b})`,
  fold: text => bytes(`lower((${text}) COLLATE "und-x-icu")`),
};

const SORT_KEY_LENGTH_MAX = 240;
const SORT_KEY_KEPT = 200;

/**
 * The sort key of a JSON value of any type, as `domain/attribute/sort-key.ts` makes it; of a very long text the end
 * is another hash, which orders texts that agree in all that is kept.
 */
const escaped = (text: string): string =>
  `replace(replace(${text}, E'\\u0002', E'\\u0002\\u0003'), E'\\u0001', E'\\u0002\\u0002')`;
const textKey = (text: string): string =>
  `CASE WHEN length(${text}) <= ${SORT_KEY_LENGTH_MAX} THEN ${escaped(text)}
     ELSE ${escaped(`left(${text}, ${SORT_KEY_KEPT})`)} || E'\\u0002' || md5(${text}) END`;
const NUMBER_BITS = `('x' || encode(float8send(value::text::double precision + 0), 'hex'))::bit(64)`;

export const FUNCTIONS: readonly string[] = [
  `CREATE OR REPLACE FUNCTION sort_key(kind text, value json) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
     SELECT CASE json_typeof(value)
       WHEN 'null' THEN ''
       WHEN 'boolean' THEN CASE value::text WHEN 'true' THEN 'b1' ELSE 'b0' END
       WHEN 'number' THEN 'n' || lpad(to_hex((CASE WHEN value::text::double precision < 0 THEN ~ ${NUMBER_BITS}
         ELSE ${NUMBER_BITS} | X'8000000000000000' END)::bigint), 16, '0')
       WHEN 'string' THEN 't' || ${textKey(`(value #>> '{}')`)}
       ELSE 'j' || ${textKey('value::text')} END $body$`,
];
