import type {AttributeWrite, EdgeEnd} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import type {Draft, Snapshot} from '../../ports/graph-store.ts';

/** Writes a plan. `winner` shows the side that objects are revived from. */
export async function applyPlan(
  draft: Draft,
  writes: readonly MergeWrite[],
  winner: Snapshot,
): Promise<void> {
  // Met all at once, the objects need not be looked up one by one.
  await draft.nodes([...new Set(writes.flatMap(idsOf))]);
  for (const write of writes) {
    switch (write.is) {
      case 'create':
        await draft.create({id: write.id, kind: write.kind, attributes: write.attributes, isKnown: true});
        break;
      case 'revive':
        await revive(draft, write.id, winner);
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
        if ((await draft.node(write.id)) !== undefined) await draft.delete(write.id);
    }
  }
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
  const attributes: Record<string, AttributeWrite> = {};
  for (const {name} of shape.attributes) {
    const state = node.attribute(name);
    if (state === undefined) continue;
    const {value, isDefault, isFromProfile, isProtected, isVisible, source, owner} = state;
    attributes[name] = {value, isDefault, isFromProfile, isProtected, isVisible, source, owner};
  }
  await draft.create({id, kind: node.kind, attributes, isKnown: true});
  for (const {name} of shape.relationships) {
    for (const peer of await winner.neighbours(id, name)) {
      if ((await draft.node(peer.id)) === undefined) continue;
      await draft.link({node: id, relationship: name, peer: peer.id}, peer.edge.properties);
    }
  }
}
