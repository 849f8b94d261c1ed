import {declaredKinds, kindOf} from '../lookup.ts';
import {problem} from '../problem.ts';
import type {RelationshipSchema} from '../schema.ts';
import {ownRelationships, type SchemaRule} from './rule.ts';

/** The two views of one edge are both bidirectional, or one inbound and one outbound. */
export const relationshipDirections: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const relationship of ownRelationships(kind)) {
      const peer = kindOf(schema, relationship.peer);
      const there = peer?.relationships.filter(each => each.identifier === relationship.identifier) ?? [];
      if (peer === undefined || there.length === 0 || there.some(each => fits(relationship, each))) continue;
      const other = there[0]?.name;
      const message = `${kind.kind}.${relationship.name} is ${relationship.direction} and ${peer.kind}.${other} is ${there[0]?.direction}`;
      const advice = 'make both bidirectional, or one inbound and the other outbound';
      yield problem(`${kind.kind}.${relationship.name}.direction`, `${message}; ${advice}`);
    }
  }
};

function fits(one: RelationshipSchema, other: RelationshipSchema): boolean {
  if (one === other) return true;
  if (one.direction === 'bidirectional') return other.direction === 'bidirectional';
  return other.direction !== 'bidirectional' && other.direction !== one.direction;
}
