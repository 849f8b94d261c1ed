import type {AttributeWrite, AttributeWrites, EdgeEnd, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Side} from '../../domain/merge/conflict.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import {wholeWrite} from '../../domain/merge/weigh-attributes.ts';
import type {Draft, Snapshot} from '../../ports/graph-store.ts';
import type {Placed} from '../node/node-work.ts';

const WRITES_MET_AT_ONCE = 500;

/** An end of an edge that went with the object at the other end. */
export interface LostEnd {
  readonly peer: Placed;
  /** The object that is gone, and by which of its relationships the peer was related to it. */
  readonly kind: string;
  readonly relationship: string;
}

/**
 * Writes a plan. `shown` has the sides as they were, from which objects are revived. Answers what objects that are there
 * may miss once it is written.
 */
export async function applyPlan(
  draft: Draft,
  writes: readonly MergeWrite[],
  shown: (side: Side) => Snapshot,
): Promise<readonly LostEnd[]> {
  const lost: LostEnd[] = [];
  for (const [place, write] of writes.entries()) {
    // Met many at once, the objects need not be looked up one by one.
    if (place % WRITES_MET_AT_ONCE === 0)
      await draft.nodes([...new Set(writes.slice(place, place + WRITES_MET_AT_ONCE).flatMap(idsOf))]);
    switch (write.is) {
      case 'create':
        await draft.create({id: write.id, kind: write.kind, attributes: write.attributes, isKnown: true});
        break;
      case 'revive':
        await revive(draft, write.id, shown(write.from));
        break;
      case 'update':
        await draft.update(write.id, write.attributes);
        break;
      case 'link':
        if (await isThere(draft, write.end)) await draft.link(write.end, write.properties);
        break;
      case 'unlink':
        if (await isThere(draft, write.end)) await draft.unlink(write.end);
        break;
      default:
        if (write.against !== undefined) lost.push(...(await endsOf(shown(write.against), write.id)));
        if ((await draft.node(write.id)) !== undefined) await draft.delete(write.id);
    }
  }
  return lost;
}

/** Where the edges of an object end that is about to go. */
async function endsOf(side: Snapshot, id: NodeId): Promise<readonly LostEnd[]> {
  const kind = (await side.node(id))?.kind;
  const shape = kind === undefined ? undefined : side.kind(kind);
  const ends: LostEnd[] = [];
  for (const {name} of shape?.relationships ?? []) {
    for (const peer of await side.neighbours(id, name)) {
      ends.push({peer: {id: peer.id, kind: peer.kind}, kind: kind!, relationship: name});
    }
  }
  return ends;
}

const idsOf = (write: MergeWrite): readonly NodeId[] =>
  'end' in write ? [write.end.node, write.end.peer] : [write.id];

const isThere = async (draft: Draft, {node, peer}: EdgeEnd): Promise<boolean> =>
  (await draft.nodes([node, peer])).every(each => each !== undefined);

/** Brings an object back as the winner shows it, with its edges to objects that are there. */
async function revive(draft: Draft, id: NodeId, winner: Snapshot): Promise<void> {
  const node = await winner.node(id);
  const shape = node === undefined ? undefined : winner.kind(node.kind);
  if (node === undefined || shape === undefined) return;
  if ((await draft.node(id)) === undefined) {
    await draft.create({id, kind: node.kind, attributes: attributesOf(node, shape), isKnown: true});
  }
  for (const {name} of shape.relationships) {
    for (const peer of await winner.neighbours(id, name)) {
      if ((await draft.node(peer.id)) === undefined) continue;
      await draft.link({node: id, relationship: name, peer: peer.id}, peer.edge.properties);
    }
  }
}

function attributesOf(node: NodeRecord, shape: KindShape): AttributeWrites {
  const attributes: Record<string, AttributeWrite> = {};
  for (const {name} of shape.attributes) {
    const state = node.attribute(name);
    if (state !== undefined) attributes[name] = wholeWrite(state);
  }
  return attributes;
}
