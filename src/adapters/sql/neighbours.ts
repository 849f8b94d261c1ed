import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Neighbour} from '../../ports/graph-store.ts';
import {edgeRecord} from './edge-properties.ts';
import {levelsOf} from './lineage.ts';
import type {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import type {StoredNode} from './stored-node.ts';

/** The peers of a node through one relationship, in no particular order. */
export function* neighboursOf(reader: Reader, id: NodeId, relationship: string): Work<readonly Neighbour[]> {
  return yield* neighboursOfNode(reader, yield* reader.node(id), relationship);
}

/** The same of a node that is known. */
export function* neighboursOfNode(
  reader: Reader,
  node: StoredNode | undefined,
  relationship: string,
): Work<readonly Neighbour[]> {
  return (yield* few(reader, node, relationship, undefined)) ?? [];
}

/** The same when there are not more than so many; else `undefined`, at the cost of those. */
export function* fewNeighboursOf(
  reader: Reader,
  id: NodeId,
  relationship: string,
  countMax: number,
): Work<readonly Neighbour[] | undefined> {
  return yield* few(reader, yield* reader.node(id), relationship, countMax);
}

function* few(
  reader: Reader,
  node: StoredNode | undefined,
  relationship: string,
  countMax: number | undefined,
): Work<readonly Neighbour[] | undefined> {
  const layout = node?.layout.relationships.get(relationship);
  if (node === undefined || layout === undefined) return [];
  const levels = levelsOf(reader.lineage, layout.shape.scope);
  const limit = countMax === undefined ? undefined : countMax + 1;
  const edges = yield* reader.edges([node.serial], layout.code, levels, limit);
  if (limit !== undefined && edges.length === limit) return undefined;
  const peers = yield* reader.load(yield* reader.versions(edges.map(edge => edge.target)));
  const bySerial = new Map(peers.map(peer => [peer.serial, peer]));
  return edges.flatMap(edge => {
    const peer = bySerial.get(edge.target);
    return peer === undefined ? [] : [{id: peer.id, kind: peer.kind, edge: edgeRecord(edge)}];
  });
}
