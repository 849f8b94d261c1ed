import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import {link, relink, unlink} from './edges.ts';
import {makePeer, refuseCount} from './make-node.ts';
import type {NodeWork} from './node-work.ts';
import type {PlannedPeer} from './resolve-peers.ts';

type KnownPeer = Extract<PlannedPeer, {is: 'known'}>;

/** Makes the peers of an object those planned: others go, or stay when only adding. */
export async function setPeers(
  work: NodeWork,
  node: NodeRecord,
  relationship: RelationshipSchema,
  planned: readonly PlannedPeer[],
  mode: 'replace' | 'add',
): Promise<void> {
  const current = new Map(
    (await work.draft.neighbours(node.id, relationship.name)).map(each => [each.id, each]),
  );
  const known = new Map<NodeId, KnownPeer>();
  for (const peer of planned) if (peer.is === 'known') known.set(peer.node.id, peer);
  const fresh = planned.filter(peer => peer.is === 'new');
  const leaving = mode === 'add' ? [] : [...current.values()].filter(({id}) => !known.has(id));
  const joining = [...known.values()].filter(({node: {id}}) => !current.has(id));
  const count = current.size - leaving.length + joining.length + fresh.length;
  if (leaving.length + joining.length + fresh.length > 0) refuseCount(node, relationship, count);
  for (const peer of leaving) await unlink(work, node, relationship, peer);
  for (const peer of known.values()) {
    const before = current.get(peer.node.id);
    if (before === undefined) await link(work, node, relationship, peer.node, peer.properties);
    else await relink(work, node, relationship, before, peer.properties);
  }
  for (const peer of fresh) await makePeer(work, node, relationship, peer);
}
