import {must} from '../../../base/assert.ts';
import {ATTRIBUTE_DEFAULTS, GENERIC_DEFAULTS, NODE_DEFAULTS, RELATIONSHIP_DEFAULTS} from '../defaults.ts';
import type {FieldDefinition, KindDefinition} from '../source.ts';
import {kindName} from '../source.ts';
import {type Conflicts, oneSided, same} from './conflict.ts';
import {mergeProperties} from './merge-properties.ts';

const KIND_PROPERTIES = {
  node: ['name', 'namespace', ...Object.keys(NODE_DEFAULTS)],
  generic: ['name', 'namespace', ...Object.keys(GENERIC_DEFAULTS)],
};
const ATTRIBUTE_PROPERTIES = ['name', 'kind', 'order_weight', ...Object.keys(ATTRIBUTE_DEFAULTS)];
const RELATIONSHIP_PROPERTIES = [
  'name',
  'peer',
  'identifier',
  'order_weight',
  ...Object.keys(RELATIONSHIP_DEFAULTS),
];

/** Merges what two branches made of one kind: property by property, and field by field. */
export function mergeKind(
  base: KindDefinition | undefined,
  ours: KindDefinition,
  theirs: KindDefinition,
  conflicts: Conflicts,
): KindDefinition {
  const path = sharedName([base, ours, theirs].map(kind => kind && kindName(kind)));
  if (ours.type !== theirs.type) return conflicts.settle(path, base, ours, theirs);
  const single = oneSided(withoutLate(base), withoutLate(ours), withoutLate(theirs));
  if (single !== undefined) return same(single.value, withoutLate(ours)) ? ours : theirs;
  const defaults = ours.type === 'node' ? NODE_DEFAULTS : GENERIC_DEFAULTS;
  const merged = mergeProperties(path, KIND_PROPERTIES[ours.type], defaults, base, ours, theirs, conflicts);
  return {
    ...merged,
    attributes: mergeFields(
      path,
      base?.attributes ?? [],
      ours.attributes,
      theirs.attributes,
      {properties: ATTRIBUTE_PROPERTIES, defaults: ATTRIBUTE_DEFAULTS},
      conflicts,
    ),
    relationships: mergeFields(
      path,
      base?.relationships ?? [],
      ours.relationships,
      theirs.relationships,
      {properties: RELATIONSHIP_PROPERTIES, defaults: RELATIONSHIP_DEFAULTS},
      conflicts,
    ),
  };
}

/** What a conflict calls an element: as the base does, else the first name in the alphabet, whoever's side it is. */
export function sharedName([base, ...sides]: readonly (string | undefined)[]): string {
  return base ?? must(sides.filter(name => name !== undefined).sort()[0], 'a name');
}

/** Late attributes follow from the merged kinds, and are worked out at the end. */
export function withoutLate(kind: KindDefinition | undefined): object | undefined {
  return kind?.type === 'node' ? {...kind, late: {}} : kind;
}

type Language = {readonly properties: readonly string[]; readonly defaults: object};

function mergeFields<T extends FieldDefinition>(
  kind: string,
  base: readonly T[],
  ours: readonly T[],
  theirs: readonly T[],
  language: Language,
  conflicts: Conflicts,
): readonly T[] {
  const byId = (fields: readonly T[]) => new Map(fields.map(field => [field.id, field]));
  const [before, mine, other] = [byId(base), byId(ours), byId(theirs)];
  const merged = new Map<string, T>();
  for (const id of new Set([...before.keys(), ...mine.keys(), ...other.keys()])) {
    const [was, one, two] = [before.get(id), mine.get(id), other.get(id)];
    const field = mergeField(kind, was, one, two, language, conflicts);
    if (field !== undefined) merged.set(id, field);
  }
  return withoutClashes(kind, inOrder(base, ours, theirs, merged), mine, conflicts);
}

function mergeField<T extends FieldDefinition>(
  kind: string,
  base: T | undefined,
  ours: T | undefined,
  theirs: T | undefined,
  language: Language,
  conflicts: Conflicts,
): T | undefined {
  const single = oneSided(base, ours, theirs);
  if (single !== undefined) return single.value;
  const path = `${kind}.${sharedName([base, ours, theirs].map(field => field?.name))}`;
  if (ours === undefined || theirs === undefined) return conflicts.settle(path, base, ours, theirs);
  return mergeProperties(path, language.properties, language.defaults, base, ours, theirs, conflicts);
}

/** The order of the side that changed it; when both added something, the additions by weight and name. */
function inOrder<T extends FieldDefinition>(
  base: readonly T[],
  ours: readonly T[],
  theirs: readonly T[],
  merged: ReadonlyMap<string, T>,
): readonly T[] {
  const ids = (fields: readonly T[]) => fields.map(field => field.id);
  const pick = (order: readonly string[]) => [...new Set(order)].flatMap(id => merged.get(id) ?? []);
  if (same(ids(base), ids(ours))) return pick([...ids(theirs), ...ids(base)]);
  if (same(ids(base), ids(theirs))) return pick([...ids(ours), ...ids(base)]);
  const known = new Set(ids(base));
  const added = [...merged.values()]
    .filter(field => !known.has(field.id))
    .sort((a, b) => a.order_weight - b.order_weight || (a.name < b.name ? -1 : 1));
  return [...pick(ids(base)), ...added];
}

/** Two fields that came to the same name on different ways cannot both keep it. */
function withoutClashes<T extends FieldDefinition>(
  kind: string,
  fields: readonly T[],
  ours: ReadonlyMap<string, T>,
  conflicts: Conflicts,
): readonly T[] {
  const byName = new Map<string, T>();
  for (const field of fields) {
    const other = byName.get(field.name);
    const [mine, theirs] = other !== undefined && ours.has(other.id) ? [other, field] : [field, other];
    byName.set(
      field.name,
      theirs === undefined
        ? field
        : (conflicts.settle(`${kind}.${field.name}`, undefined, mine, theirs) as T),
    );
  }
  return byName.size === fields.length ? fields : [...byName.values()];
}
