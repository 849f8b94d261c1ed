import {kindOf} from '../lookup.ts';
import type {ConcreteSchema, RelationshipSchema, Schema} from '../schema.ts';
import {DECLARABLE_RELATIONSHIP_KINDS} from '../vocabulary.ts';
import type {RelationshipCountConstraint, SchemaChange} from './changes.ts';
import {refused} from './refused.ts';

/** Relationships that the service derives follow from other changes and need no look of their own. */
const declared = (kind: ConcreteSchema): readonly RelationshipSchema[] =>
  kind.relationships.filter(each => DECLARABLE_RELATIONSHIP_KINDS.includes(each.kind));

export function* classifyRelationships(
  schemaBefore: Schema,
  before: ConcreteSchema,
  schemaAfter: Schema,
  after: ConcreteSchema,
): Iterable<SchemaChange> {
  const kind = after.kind;
  const relationshipsBefore = new Map(declared(before).map(each => [each.id, each]));
  for (const relationship of declared(after)) {
    const was = relationshipsBefore.get(relationship.id);
    relationshipsBefore.delete(relationship.id);
    if (was === undefined) {
      const needsPeer = relationship.min_count > 0;
      yield {is: 'relationship-added', kind, relationship, needsPeer, constraint: 'node.relationship.add'};
      continue;
    }
    yield* classifyRelationship(kind, was, relationship, after.type);
    // By id, since the peer may only have been renamed.
    if (kindOf(schemaBefore, was.peer)?.id !== kindOf(schemaAfter, relationship.peer)?.id) {
      const constraint = 'relationship.peer.update';
      yield {is: 'relationship-peer-changed', kind, relationship, from: was.peer, constraint};
    }
  }
  for (const relationship of relationshipsBefore.values())
    yield {is: 'relationship-removed', kind, relationship};
}

function* classifyRelationship(
  kind: string,
  before: RelationshipSchema,
  after: RelationshipSchema,
  type: ConcreteSchema['type'],
): Iterable<SchemaChange> {
  const path = `${kind}.${after.name}`;
  if (before.branch !== after.branch && type === 'node') {
    yield refused(`${path}.branch`, `branch of ${path}`, before.branch, after.branch);
  }
  if (before.direction !== after.direction) {
    yield refused(`${path}.direction`, `direction of ${path}`, before.direction, after.direction);
  }
  if (after.common_parent !== null && before.common_parent !== after.common_parent) {
    const constraint = 'relationship.common_parent.update';
    yield {is: 'common-parent-required', kind, relationship: after, constraint};
  }
  const constraint = countConstraint(before, after);
  if (constraint !== undefined)
    yield {is: 'relationship-counts-tightened', kind, relationship: after, constraint};
}

function countConstraint(
  before: RelationshipSchema,
  after: RelationshipSchema,
): RelationshipCountConstraint | undefined {
  if (before.cardinality === 'many' && after.cardinality === 'one') return 'relationship.cardinality.update';
  const bound = (max: number) => (max === 0 ? Number.POSITIVE_INFINITY : max);
  if (bound(after.max_count) < bound(before.max_count)) return 'relationship.max_count.update';
  if (after.min_count <= before.min_count) return undefined;
  return before.optional && !after.optional
    ? 'relationship.optional.update'
    : 'relationship.min_count.update';
}
