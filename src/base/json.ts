export type JsonPrimitive = string | number | boolean | null;
export type Json = JsonPrimitive | readonly Json[] | {readonly [key: string]: Json};
export type JsonObject = {readonly [key: string]: Json};

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one text of a JSON value: keys sorted, no white space. Equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item)).join(',')}]`;
  const object = value as JsonObject;
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(',')}}`;
}

/** Whether the two have the same canonical text, told without writing it. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    const [one, other] = [a, b] as readonly (readonly Json[])[];
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameJson(item, other[index] as Json));
  }
  const [one, other] = [a, b] as readonly [JsonObject, JsonObject];
  const keys = Object.keys(one).filter(key => one[key] !== undefined);
  if (keys.length !== Object.keys(other).filter(key => other[key] !== undefined).length) return false;
  return keys.every(key => Object.hasOwn(other, key) && sameJson(one[key] as Json, other[key] as Json));
}
