import type {BranchName} from '../../domain/branch/branch.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';

/** The service's own records: nobody's answer is made again because of them. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'CoreArtifact',
  'CoreGraphQLQueryGroup',
  'CoreRepositoryGroup',
]);

/** What happened to the objects of one branch, as far as something may follow from it. */
export interface BranchChanges {
  readonly branch: BranchName;
  /** Objects that were changed, made or deleted, with their kinds; and those at the other end of edges that were. */
  readonly touched: ReadonlyMap<NodeId, string>;
  readonly events: readonly GraphEvent[];
}

/** Events by the branches that see them: what is shared is seen by all. */
export function changesByBranch(
  events: readonly GraphEvent[],
  branches: readonly BranchName[],
): readonly BranchChanges[] {
  return branches.flatMap(branch => {
    const seen = events.filter(event => event.branch === branch || event.isShared);
    return seen.length === 0 ? [] : [{branch, touched: touchedBy(seen), events: seen}];
  });
}

function touchedBy(events: readonly GraphEvent[]): ReadonlyMap<NodeId, string> {
  const touched = new Map<NodeId, string>();
  for (const {type, detail, nodeId, kind} of events) {
    if (detail.is !== 'node' || nodeId === null || kind === null || OWN_KINDS.has(kind)) continue;
    const edges = detail.edges.filter(({peerKind}) => !OWN_KINDS.has(peerKind));
    const isOwnWork = detail.attributes.length === 0 && edges.length === 0;
    if (type === 'service.node.updated' && isOwnWork) continue;
    touched.set(nodeId as NodeId, kind);
    for (const {peer, peerKind} of edges) if (!touched.has(peer)) touched.set(peer, peerKind);
  }
  return touched;
}
