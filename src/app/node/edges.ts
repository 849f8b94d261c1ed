import {sameJson} from '../../base/json.ts';
import type {EdgeProperties} from '../../domain/graph/node.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import type {Neighbour} from '../../ports/graph-store.ts';
import type {EndChange, NodeWork, Placed} from './node-work.ts';
import {refuseIfProtected} from './protection.ts';

/** Adds an edge, and notes that both of its ends have changed. */
export async function link(
  work: NodeWork,
  node: Placed,
  relationship: RelationshipSchema,
  peer: Placed,
  properties: Partial<EdgeProperties>,
): Promise<void> {
  await work.draft.link({node: node.id, relationship: relationship.name, peer: peer.id}, properties);
  touchBoth(work, node, relationship, peer, 'gained');
}

/** Sets the properties of an edge that is there. */
export async function relink(
  work: NodeWork,
  node: Placed,
  relationship: RelationshipSchema,
  peer: Neighbour,
  properties: Partial<EdgeProperties>,
): Promise<void> {
  const before = peer.edge.properties;
  if (sameJson({...before}, {...before, ...properties})) return;
  refuseIfProtected(work.scope.caller, before, node.id, relationship.name);
  await work.draft.link({node: node.id, relationship: relationship.name, peer: peer.id}, properties);
}

/** Ends an edge, and notes that both of its ends have changed. */
export async function unlink(
  work: NodeWork,
  node: Placed,
  relationship: RelationshipSchema,
  peer: Neighbour,
): Promise<void> {
  refuseIfProtected(work.scope.caller, peer.edge.properties, node.id, relationship.name);
  await work.draft.unlink({node: node.id, relationship: relationship.name, peer: peer.id});
  touchBoth(work, node, relationship, peer, 'lost');
}

/** The near end was counted by whoever writes it; the far end must be. */
function touchBoth(
  work: NodeWork,
  node: Placed,
  relationship: RelationshipSchema,
  peer: Placed,
  change: EndChange,
): void {
  work.touchEnd(node, relationship, change, false);
  const inverse = work.facts.inverse(relationship, peer.kind);
  if (inverse !== undefined) work.touchEnd(peer, inverse, change, true);
}
