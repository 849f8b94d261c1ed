import {uuidFromHash} from '../../base/hash.ts';
import {derivedIdsMax} from './limits.ts';
import type {SchemaSource} from './source.ts';

type Retired = SchemaSource['retired'];

/**
 * Ids are hashes of a name and of how often that name was given up before. The same addition on two
 * branches thus gets the same id, and what is removed and added again gets a new one.
 */
export function newKindId(retired: Retired, kind: string): string {
  return uuidFromHash(`kind:${kind}:${generation(retired, kind)}`);
}

export function newFieldId(retired: Retired, kindId: string, field: string): string {
  return uuidFromHash(`field:${kindId}:${field}:${generation(retired, fieldKey(kindId, field))}`);
}

/** The id of something the service generates from an element: as stable as the element's own. */
export function derivedId(id: string, what: string): string {
  const key = `derived:${id}:${what}`;
  const known = derivedIds.get(key);
  if (known !== undefined) return known;
  if (derivedIds.size >= derivedIdsMax) derivedIds.clear();
  const derived = uuidFromHash(key);
  derivedIds.set(key, derived);
  return derived;
}

/** Every processed schema asks for the same few per kind, and hashing them again is a fifth of its cost. */
const derivedIds = new Map<string, string>();

export const fieldKey = (kindId: string, field: string): string => `${kindId}.${field}`;

export function retire(retired: Retired, key: string): Retired {
  return {...retired, [key]: generation(retired, key) + 1};
}

function generation(retired: Retired, key: string): number {
  return Object.hasOwn(retired, key) ? (retired[key] ?? 0) : 0;
}
