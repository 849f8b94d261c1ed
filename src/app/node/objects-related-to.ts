import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {refreshBatchSize} from '../../domain/node/limits.ts';
import type {KindRelationship} from '../../domain/node/schema-facts.ts';
import type {Snapshot} from '../../ports/graph-store.ts';

/** The objects of a kind that lead to any of these peers, whether or not the peers know the way back. */
export async function objectsRelatedTo(
  snapshot: Snapshot,
  {kind, relationship}: KindRelationship,
  peerKind: string,
  peers: readonly NodeId[],
): Promise<readonly NodeRecord[]> {
  const found = new Map<NodeId, NodeRecord>();
  for (let start = 0; start < peers.length; start += refreshBatchSize) {
    const page = await snapshot.query({
      kind: kind.kind,
      where: {
        is: 'related',
        relationship: relationship.name,
        where: {
          is: 'all',
          of: [
            {is: 'kind', in: [peerKind]},
            {is: 'id', in: peers.slice(start, start + refreshBatchSize)},
          ],
        },
      },
    });
    for (const {node} of page.found) found.set(node.id, node);
  }
  return [...found.values()];
}
