import {concreteKinds} from '../lookup.ts';
import {problem} from '../problem.ts';
import type {ConcreteSchema, KindSchema, NodeSchema, Schema, UniquenessConstraint} from '../schema.ts';
import type {SchemaChange} from './changes.ts';
import {classifyAttributes} from './classify-attributes.ts';
import {classifyRelationships} from './classify-relationships.ts';

/** Everything that a change of schema means for existing objects, refusals first. */
export function classifyChanges(before: Schema, after: Schema): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  const kindsBefore = new Map([...concreteKinds(before)].map(kind => [kind.id, kind]));
  for (const kind of concreteKinds(after)) {
    const was = kindsBefore.get(kind.id);
    kindsBefore.delete(kind.id);
    if (was === undefined) changes.push({is: 'kind-added', kind: kind.kind});
    else if (was.hash !== kind.hash || !hasSameIds(was, kind))
      changes.push(...classifyKind(before, was, after, kind));
  }
  for (const kind of kindsBefore.values()) changes.push(kindRemoved(kind, after));
  changes.push(...classifyUniqueness(before, after));
  return changes.toSorted((a, b) => Number(b.is === 'refused') - Number(a.is === 'refused'));
}

function hasSameIds(before: KindSchema, after: KindSchema): boolean {
  for (const [name, field] of after.fields) {
    if (before.fields.get(name)?.id !== field.id) return false;
  }
  return before.fields.size === after.fields.size;
}

/** A profile kind that goes while its kind stays must be empty; with its kind it goes anyway. */
function kindRemoved(kind: ConcreteSchema, after: Schema): SchemaChange {
  if (kind.type === 'profile') {
    const owner = after.nodes.get(kind.profiledKind) ?? after.generics.get(kind.profiledKind);
    if (owner !== undefined) {
      const constraint = 'node.generate_profile.update';
      return {is: 'profile-dropped', kind: owner.kind, profile: kind.kind, constraint};
    }
  }
  return {is: 'kind-removed', kind: kind.kind, before: kind};
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
  yield* classifyRelationships(before, after);
  if (before.type === 'node' && after.type === 'node') yield* classifyHierarchy(before, after);
}

/** By id, since a generic may have been renamed in between. */
function inheritsFrom(schema: Schema, kind: ConcreteSchema, other: Schema, generic: string): boolean {
  const id = other.generics.get(generic)?.id;
  return kind.inherit_from.some(name => schema.generics.get(name)?.id === id);
}

export function refused(path: string, what: string, from: string, to: string): SchemaChange {
  const message = `The ${what} cannot change from ${from} to ${to}; keep it, or remove the element and add another`;
  return {is: 'refused', problem: problem(path, message)};
}

function* classifyHierarchy(before: NodeSchema, after: NodeSchema): Iterable<SchemaChange> {
  for (const relationship of ['parent', 'children'] as const) {
    const allowed = after[relationship];
    if (before[relationship] === null || allowed === null || before[relationship] === allowed) continue;
    const constraint = `node.${relationship}.update` as const;
    yield {is: 'hierarchy-changed', kind: after.kind, relationship, allowed, constraint};
  }
}

/** Constraints are matched by id, which a rename does not change; each scope is looked at once. */
function* classifyUniqueness(before: Schema, after: Schema): Iterable<SchemaChange> {
  const known = new Map<string, number>();
  for (const kind of concreteKinds(before)) {
    for (const {id} of kind.uniqueness) known.set(id, (known.get(id) ?? 0) + 1);
  }
  const spans = new Map<string, {readonly uniqueness: UniquenessConstraint; kinds: number}>();
  for (const kind of concreteKinds(after)) {
    for (const uniqueness of kind.uniqueness) {
      const span = spans.get(uniqueness.id);
      if (span === undefined) spans.set(uniqueness.id, {uniqueness, kinds: 1});
      else span.kinds += 1;
    }
  }
  for (const [id, {uniqueness, kinds}] of spans) {
    if ((known.get(id) ?? 0) >= kinds) continue;
    const constraint =
      uniqueness.paths.length === 1 ? 'attribute.unique.update' : 'node.uniqueness_constraints.update';
    yield {is: 'uniqueness-added', kind: uniqueness.scope, uniqueness, constraint};
  }
}
