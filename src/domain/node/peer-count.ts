import type {RelationshipSchema} from '../schema/schema.ts';

/** How many peers a relationship may have; 0: any number. */
export const peersMax = ({max_count, cardinality}: RelationshipSchema): number =>
  cardinality === 'one' ? 1 : max_count;

/** How many peers a relationship needs once it has any. */
export const peersMin = ({min_count, optional}: RelationshipSchema): number =>
  Math.max(min_count, optional ? 0 : 1);

/** What is wrong with the number of peers; an optional relationship may always be empty. */
export function peerCountProblem(relationship: RelationshipSchema, count: number): string | undefined {
  const [min, max] = [peersMin(relationship), peersMax(relationship)];
  if (max > 0 && count > max) return `Too many relationships, max ${max}`;
  if (count === 0 && relationship.optional) return undefined;
  return count < min ? `Too few relationships, min ${min}` : undefined;
}
