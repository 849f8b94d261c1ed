import {declaredKinds} from '../lookup.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import type {KindSchema, RelationshipSchema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';

/**
 * The identifier tells which edges a relationship shows. On one kind it may stand once, or twice as the two
 * directions of the same edge.
 */
export const relationshipIdentifiers: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    const byIdentifier = new Map<string, RelationshipSchema[]>();
    for (const relationship of kind.relationships) {
      const known = byIdentifier.get(relationship.identifier);
      if (known === undefined) byIdentifier.set(relationship.identifier, [relationship]);
      else known.push(relationship);
    }
    for (const [identifier, relationships] of byIdentifier) {
      if (relationships.length > 1) yield* checkClash(kind, identifier, relationships);
    }
  }
};

function* checkClash(
  kind: KindSchema,
  identifier: string,
  relationships: readonly RelationshipSchema[],
): Iterable<SchemaProblem> {
  const directions = new Set(relationships.map(each => each.direction));
  const isPair = relationships.length === 2 && directions.has('inbound') && directions.has('outbound');
  if (isPair || relationships.every(each => each.inherited)) return;
  const names = relationships.map(each => each.name).join(' and ');
  const last = relationships.findLast(each => !each.inherited);
  const advice = 'give each its own identifier, or make one inbound and the other outbound';
  yield problem(
    `${kind.kind}.${last?.name}.identifier`,
    `${names} of ${kind.kind} have the same identifier ${identifier}; ${advice}`,
  );
}
