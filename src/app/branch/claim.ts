import type {NodeChange} from '../../domain/diff/change.ts';
import type {EdgeEnd} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import {peersMax, peersMin} from '../../domain/node/peer-count.ts';
import {concreteKindOf, inverseOn, relationshipOf} from '../../domain/schema/lookup.ts';
import type {RelationshipSchema, Schema} from '../../domain/schema/schema.ts';
import type {Claim} from '../../ports/merge-store.ts';

/** What is claimed beside the branch itself. */
export type Claimed = Omit<Claim, 'branch'>;

/** What a merge claims: others wait who would write the same objects, so that what was weighed of them holds. */
export function claimOf(
  changes: readonly NodeChange[],
  writes: readonly MergeWrite[],
  schema: Schema,
): Claimed {
  const kinds = new Map(changes.map(({id, kind}) => [id, kind]));
  const nodes = new Set<NodeId>();
  const peers = new Set<NodeId>();
  for (const write of writes) {
    if (!('end' in write)) {
      nodes.add(write.id);
      continue;
    }
    const {node, peer} = write.end;
    const [ofNode, ofPeer] = endsOf(write.end, kinds, schema);
    // One end at least is claimed, and with it the edge; the other may gain and lose as many as it likes meanwhile.
    const isNodeFree = isUnbounded(ofNode) && !isUnbounded(ofPeer);
    (isNodeFree ? peers : nodes).add(node);
    (isUnbounded(ofPeer) ? peers : nodes).add(peer);
  }
  return {nodes: [...nodes], peers: [...peers], kinds: [...new Set(kinds.values())]};
}

/** The relationship as each end has it, where the kinds of both are known. */
function endsOf(
  {node, relationship, peer}: EdgeEnd,
  kinds: ReadonlyMap<NodeId, string>,
  schema: Schema,
): readonly [RelationshipSchema | undefined, RelationshipSchema | undefined] {
  const [ofNode, ofPeer] = [node, peer].map(id => concreteKindOf(schema, kinds.get(id) ?? ''));
  const there = ofNode === undefined ? undefined : relationshipOf(ofNode, relationship);
  if (there === undefined || ofPeer === undefined) return [there, undefined];
  return [there, inverseOn(ofPeer, there)];
}

const isUnbounded = (relationship: RelationshipSchema | undefined): boolean =>
  relationship !== undefined && peersMax(relationship) === 0 && peersMin(relationship) === 0;
