import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {NodeWork} from './node-work.ts';

/** An object with its peers through relationships to one, by the names of those. */
export interface WithPeers {
  readonly node: NodeRecord;
  readonly peers: ReadonlyMap<string, NodeRecord>;
}

/** Up to this many objects are cheaper to read one by one: the verb has seen most of them already. */
const ONE_BY_ONE_MAX = 4;

export async function withPeers(
  work: NodeWork,
  kind: string,
  ids: readonly NodeId[],
  relationships: readonly string[],
): Promise<readonly WithPeers[]> {
  return ids.length <= ONE_BY_ONE_MAX
    ? oneByOne(work, ids, relationships)
    : together(work, kind, ids, relationships);
}

async function oneByOne(
  work: NodeWork,
  ids: readonly NodeId[],
  relationships: readonly string[],
): Promise<readonly WithPeers[]> {
  const objects: WithPeers[] = [];
  for (const id of ids) {
    const node = await work.node(id);
    if (node === undefined) continue;
    const peers = new Map<string, NodeRecord>();
    for (const relationship of relationships) {
      const [neighbour] = await work.draft.neighbours(id, relationship);
      const peer = neighbour === undefined ? undefined : await work.node(neighbour.id);
      if (peer !== undefined) peers.set(relationship, peer);
    }
    objects.push({node, peers});
  }
  return objects;
}

async function together(
  work: NodeWork,
  kind: string,
  ids: readonly NodeId[],
  relationships: readonly string[],
): Promise<readonly WithPeers[]> {
  const {found} = await work.draft.query({
    kind,
    where: {is: 'id', in: ids},
    include: relationships.map(relationship => ({relationship})),
  });
  return found.map(({node, included}) => {
    const peers = new Map<string, NodeRecord>();
    for (const [place, relationship] of relationships.entries()) {
      const peer = included[place]?.found[0]?.node;
      if (peer !== undefined) peers.set(relationship, peer);
    }
    return {node, peers};
  });
}
