import {isKindOf} from '../schema/lookup.ts';
import type {RelationshipSchema} from '../schema/schema.ts';
import type {SchemaFacts} from './schema-facts.ts';

/** Why an object of `peer` cannot stand at the other end of the relationship of an object of `kind`. */
export function peerFitProblem(
  facts: SchemaFacts,
  kind: string,
  relationship: RelationshipSchema,
  peer: string,
): string | undefined {
  const {schema} = facts;
  if (!isKindOf(schema, peer, relationship.peer)) {
    return `${relationship.name} takes objects of ${relationship.peer}, not of ${peer}`;
  }
  const inverse = facts.inverse(relationship, peer);
  if (inverse === undefined) {
    if (relationship.kind !== 'Hierarchy') return undefined;
    const place = relationship.direction === 'outbound' ? 'above' : 'below';
    return `objects of ${peer} cannot stand ${place} others in the hierarchy`;
  }
  if (isKindOf(schema, kind, inverse.peer)) return undefined;
  return `${inverse.name} of ${peer} takes objects of ${inverse.peer}, not of ${kind}`;
}
