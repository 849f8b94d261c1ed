import {concreteKinds, declaredKinds, kindOf} from '../lookup.ts';
import {isSameKind} from '../same-kind.ts';
import type {ConcreteSchema, KindSchema, NodeSchema, Schema} from '../schema.ts';
import type {SchemaChange} from './changes.ts';
import {classifyAttributes} from './classify-attributes.ts';
import {classifyRelationships} from './classify-relationships.ts';
import {refused} from './refused.ts';

/** Everything that a change of schema means for existing objects, refusals first. */
export function classifyChanges(before: Schema, after: Schema): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  const kindsBefore = new Map([...concreteKinds(before)].map(kind => [kind.id, kind]));
  for (const kind of concreteKinds(after)) {
    const was = kindsBefore.get(kind.id);
    kindsBefore.delete(kind.id);
    if (was === undefined) changes.push({is: 'kind-added', kind: kind.kind});
    else if (!isSameKind(was, kind)) changes.push(...classifyKind(before, was, after, kind));
  }
  for (const kind of kindsBefore.values()) changes.push(kindRemoved(before, kind, after));
  changes.push(...classifyUniqueness(before, after));
  return changes.toSorted((a, b) => Number(b.is === 'refused') - Number(a.is === 'refused'));
}

/** A profile kind that goes while its kind stays must be empty; with its kind it goes anyway. */
function kindRemoved(before: Schema, kind: ConcreteSchema, after: Schema): SchemaChange {
  const owner = kind.type === 'profile' ? sameKind(before, kind.profiledKind, after) : undefined;
  if (owner === undefined) return {is: 'kind-removed', kind: kind.kind, before: kind};
  const constraint = 'node.generate_profile.update';
  return {is: 'profile-dropped', kind: owner.kind, profile: kind.kind, constraint};
}

/** What became of a kind, under whatever name. */
function sameKind(before: Schema, name: string, after: Schema): KindSchema | undefined {
  const id = kindOf(before, name)?.id;
  const unrenamed = kindOf(after, name);
  if (unrenamed?.id === id) return unrenamed;
  return [...declaredKinds(after)].find(kind => kind.id === id);
}

function* classifyKind(
  schemaBefore: Schema,
  before: ConcreteSchema,
  schemaAfter: Schema,
  after: ConcreteSchema,
): Iterable<SchemaChange> {
  if (before.kind !== after.kind) yield {is: 'kind-renamed', kind: after.kind, from: before.kind};
  if (before.branch !== after.branch && after.type === 'node') {
    yield refused(`${after.kind}.branch`, `branch of ${after.kind}`, before.branch, after.branch);
  }
  const added = after.inherit_from.filter(
    generic => !inheritsFrom(schemaBefore, before, schemaAfter, generic),
  );
  const removed = before.inherit_from.filter(
    generic => !inheritsFrom(schemaAfter, after, schemaBefore, generic),
  );
  if (added.length + removed.length > 0) {
    yield {is: 'generics-changed', kind: after.kind, added, removed, constraint: 'node.inherit_from.update'};
  }
  yield* classifyAttributes(before, after, schemaAfter);
  yield* classifyRelationships(schemaBefore, before, schemaAfter, after);
  if (before.type === 'node' && after.type === 'node') yield* classifyHierarchy(before, after);
}

/** By id, since a generic may have been renamed in between. */
function inheritsFrom(schema: Schema, kind: ConcreteSchema, other: Schema, generic: string): boolean {
  const id = other.generics.get(generic)?.id;
  return kind.inherit_from.some(name => schema.generics.get(name)?.id === id);
}

function* classifyHierarchy(before: NodeSchema, after: NodeSchema): Iterable<SchemaChange> {
  for (const relationship of ['parent', 'children'] as const) {
    const allowed = after[relationship];
    if (before[relationship] === null || allowed === null || before[relationship] === allowed) continue;
    const constraint = `node.${relationship}.update` as const;
    yield {is: 'hierarchy-changed', kind: after.kind, relationship, allowed, constraint};
  }
}

/**
 * Constraints are matched by id, which a rename does not change; each is looked at once, in its whole scope.
 * A kind that is new has nothing to look at.
 */
function* classifyUniqueness(before: Schema, after: Schema): Iterable<SchemaChange> {
  const known = new Map(
    [...concreteKinds(before)].map(kind => [kind.id, new Set(kind.uniqueness.map(each => each.id))]),
  );
  const seen = new Set<string>();
  for (const kind of concreteKinds(after)) {
    const had = known.get(kind.id);
    if (had === undefined) continue;
    for (const uniqueness of kind.uniqueness) {
      if (had.has(uniqueness.id) || seen.has(uniqueness.id)) continue;
      seen.add(uniqueness.id);
      const constraint =
        uniqueness.paths.length === 1 ? 'attribute.unique.update' : 'node.uniqueness_constraints.update';
      yield {is: 'uniqueness-added', kind: uniqueness.scope, uniqueness, constraint};
    }
  }
}
