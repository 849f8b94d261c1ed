import {type Json, sameJson} from '../../../base/json.ts';
import type {AttributeEntry, RelationshipEntry} from '../document.ts';
import type {Location} from '../problem.ts';
import {kindName} from '../source.ts';
import type {Problems} from './problems.ts';

type Entry = {
  readonly loc: Location;
  readonly attributes: readonly AttributeEntry[];
  readonly relationships: readonly RelationshipEntry[];
} & ({readonly name: string; readonly namespace: string} | {readonly kind: string});

/**
 * The entries of all roots in one list. A kind that several roots describe becomes one entry, so that it
 * does not matter in which file a field stands; where two roots contradict each other, that is a problem.
 */
export function joinEntries<T extends Entry>(
  roots: readonly (readonly T[])[],
  problems: Problems,
): readonly T[] {
  const joined = new Map<string, T>();
  for (const entries of roots) {
    const inThisRoot = new Set<string>();
    for (const entry of entries) {
      const kind = 'kind' in entry ? entry.kind : kindName(entry);
      const known = joined.get(kind);
      if (known !== undefined && !('kind' in entry) && inThisRoot.has(kind)) {
        const message = `${kind} appears twice in this document; join the two entries`;
        problems.add([...entry.loc, 'name'], message, 'duplicate');
      }
      joined.set(kind, known === undefined ? entry : joinTwo(known, entry, kind, problems));
      inThisRoot.add(kind);
    }
  }
  return [...joined.values()];
}

function joinTwo<T extends Entry>(one: T, other: T, kind: string, problems: Problems): T {
  return {
    ...joinProperties(one, other, kind, problems),
    attributes: joinFields(one.attributes, other.attributes, kind, problems),
    relationships: joinFields(one.relationships, other.relationships, kind, problems),
  };
}

function joinFields<T extends {readonly loc: Location; readonly name: string}>(
  one: readonly T[],
  other: readonly T[],
  kind: string,
  problems: Problems,
): readonly T[] {
  const fields = new Map(one.map(field => [field.name, field]));
  for (const field of other) {
    const known = fields.get(field.name);
    const path = `${kind}.${field.name}`;
    fields.set(field.name, known === undefined ? field : joinProperties(known, field, path, problems));
  }
  return [...fields.values()];
}

const JOINED_APART = new Set(['loc', 'attributes', 'relationships', 'deprecatedProperties']);

function joinProperties<T extends {readonly loc: Location}>(
  one: T,
  other: T,
  path: string,
  problems: Problems,
): T {
  const result: Record<string, unknown> = {...one};
  for (const [key, value] of Object.entries(other)) {
    if (value === undefined || JOINED_APART.has(key)) continue;
    const known = result[key];
    if (known === undefined) result[key] = value;
    else if (!sameJson(known as Json, value)) {
      const message = `${path} has one ${key} here and another one earlier in the request; keep one of them`;
      problems.add([...other.loc, key], message, 'conflict');
    }
  }
  return result as T;
}
