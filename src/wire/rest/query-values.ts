import type {TObject, TSchema} from 'typebox';

type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on', 't', 'y'].map(word => [word, true] as const),
  ...['false', '0', 'no', 'off', 'f', 'n'].map(word => [word, false] as const),
]);
const INTEGER = /^[+-]?\d{1,16}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The texts of a query string as the values its schema speaks of. A text that is none stays a text, and the
 * check that follows refuses it. Of a key that is repeated where one value is meant, the last counts.
 */
export function queryValues(schema: TObject, raw: RawQuery): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = raw[name];
    if (given === undefined) continue;
    const texts = typeof given === 'string' ? [given] : given;
    const items = itemsOf(property);
    values[name] =
      items === undefined ? typedValue(property, texts.at(-1)!) : texts.map(text => typedValue(items, text));
  }
  return values;
}

function itemsOf(schema: TSchema): TSchema | undefined {
  return 'type' in schema && schema.type === 'array' && 'items' in schema
    ? (schema.items as TSchema)
    : undefined;
}

function typedValue(schema: TSchema, text: string): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text;
  if (type === 'integer') return INTEGER.test(text) ? Number(text) : text;
  if (type === 'number') return NUMBER.test(text) ? Number(text) : text;
  return text;
}
