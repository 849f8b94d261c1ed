import type {Branch} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {namedByChanges, type Sight, showsOf} from '../../domain/diff/seen-changes.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';

/** Looks up what must be known to tell what of a diff somebody may see. */
export async function sightOf(
  caller: Caller,
  branch: Branch,
  {before, after, origin}: {readonly before: Snapshot; readonly after: Snapshot; readonly origin: Snapshot},
  changes: readonly NodeChange[],
  conflicts: readonly Conflict[],
): Promise<Sight> {
  const kinds = await kindsOf([after, before, origin], namedByChanges(changes, conflicts));
  const edges = await edgeInstants(after, changes);
  return {
    shows: showsOf(caller.access, branch.isDefault),
    kindOf: id => kinds.get(id),
    edgeChangedAt: (node, {relationship, peer}) => edges.get(`${node} ${relationship} ${peer}`),
    from: before.at,
  };
}

async function kindsOf(
  places: readonly Snapshot[],
  ids: ReadonlySet<NodeId>,
): Promise<ReadonlyMap<NodeId, string>> {
  const kinds = new Map<NodeId, string>();
  let missing = [...ids];
  for (const place of places) {
    if (missing.length === 0) break;
    for (const node of await place.nodes(missing)) if (node !== undefined) kinds.set(node.id, node.kind);
    missing = missing.filter(id => !kinds.has(id));
  }
  return kinds;
}

async function edgeInstants(
  after: Snapshot,
  changes: readonly NodeChange[],
): Promise<ReadonlyMap<string, Instant>> {
  const instants = new Map<string, Instant>();
  for (const {id, action, edges} of changes) {
    if (action === 'removed') continue;
    for (const relationship of new Set(edges.map(edge => edge.relationship))) {
      for (const neighbour of await after.neighbours(id, relationship)) {
        instants.set(`${id} ${relationship} ${neighbour.id}`, neighbour.edge.updatedAt);
      }
    }
  }
  return instants;
}
