import {type Json, sameJson} from '../../base/json.ts';
import {declaredKinds} from './lookup.ts';
import {ATTRIBUTE_PROPERTIES, propertiesOfKind, RELATIONSHIP_PROPERTIES} from './properties.ts';

import {isSameKind} from './same-kind.ts';
import type {FieldSchema, GenericSchema, NodeSchema, Schema} from './schema.ts';

/** Names of what was added, changed and removed; null where there is no more to say. */
export type SchemaDiff = {
  readonly added: Readonly<Record<string, SchemaDiff | null>>;
  readonly changed: Readonly<Record<string, SchemaDiff | null>>;
  readonly removed: Readonly<Record<string, SchemaDiff | null>>;
};

type Kind = NodeSchema | GenericSchema;

const NOTHING: SchemaDiff = {added: {}, changed: {}, removed: {}};

/**
 * What a load did, kind by kind. Elements are matched by id: a renamed one shows under its new name, as
 * changed; one that was removed and added again shows as both. Derived kinds are left out.
 */
export function diffSchemas(before: Schema, after: Schema): SchemaDiff {
  const kindsBefore = new Map([...declaredKinds(before)].map(kind => [kind.id, kind]));
  const diff = emptyDiff();
  for (const kind of declaredKinds(after)) {
    const was = kindsBefore.get(kind.id);
    kindsBefore.delete(kind.id);
    if (was === undefined) diff.added[kind.kind] = NOTHING;
    else if (!isSameKind(was, kind)) note(diff.changed, kind.kind, diffKinds(was, kind));
  }
  for (const kind of kindsBefore.values()) diff.removed[kind.kind] = null;
  return diff;
}

/** `used_by` follows from other kinds, which have entries of their own. */
const isCompared = (property: string): boolean => property !== 'used_by';

function diffKinds(before: Kind, after: Kind): SchemaDiff | undefined {
  const properties = propertiesOfKind(after.type).filter(isCompared);
  const changed = changedProperties(before, after, properties);
  note(changed, 'attributes', diffFields(before.attributes, after.attributes, ATTRIBUTE_PROPERTIES));
  note(
    changed,
    'relationships',
    diffFields(before.relationships, after.relationships, RELATIONSHIP_PROPERTIES),
  );
  return Object.keys(changed).length === 0 ? undefined : {...NOTHING, changed};
}

function diffFields<T extends FieldSchema>(
  before: readonly T[],
  after: readonly T[],
  properties: readonly string[],
): SchemaDiff | undefined {
  const fieldsBefore = new Map(before.map(field => [field.id, field]));
  const diff = emptyDiff();
  for (const field of after) {
    const was = fieldsBefore.get(field.id);
    fieldsBefore.delete(field.id);
    if (was === undefined) diff.added[field.name] = null;
    else if (was !== field) {
      const changed = changedProperties(was, field, properties);
      if (Object.keys(changed).length > 0) diff.changed[field.name] = {...NOTHING, changed};
    }
  }
  for (const field of fieldsBefore.values()) diff.removed[field.name] = null;
  const isEmpty = [diff.added, diff.changed, diff.removed].every(part => Object.keys(part).length === 0);
  return isEmpty ? undefined : diff;
}

type Part = Record<string, SchemaDiff | null>;

function changedProperties(before: object, after: object, properties: readonly string[]): Part {
  const [was, is] = [before, after] as readonly Readonly<Record<string, Json>>[];
  const changed: Part = {};
  for (const property of properties) {
    if (!sameJson(was?.[property] ?? null, is?.[property] ?? null)) changed[property] = null;
  }
  return changed;
}

function note(part: Part, name: string, diff: SchemaDiff | undefined): void {
  if (diff !== undefined) part[name] = diff;
}

function emptyDiff(): {readonly added: Part; readonly changed: Part; readonly removed: Part} {
  return {added: {}, changed: {}, removed: {}};
}
