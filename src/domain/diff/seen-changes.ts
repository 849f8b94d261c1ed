import type {Access} from '../access/access.ts';
import type {AttributeState, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Conflict} from '../merge/conflict.ts';
import type {Instant} from '../time/instant.ts';
import type {AttributeChange, EdgeChange, NodeChange} from './change.ts';

/** What somebody may see of a diff. */
export interface Sight {
  readonly shows: (kind: string, attribute?: string) => boolean;
  /** The kind of an object that a change names; undefined when nothing is known of it. */
  readonly kindOf: (id: NodeId) => string | undefined;
  /** When an edge that is there was last changed. */
  readonly edgeChangedAt: (node: NodeId, edge: EdgeChange) => Instant | undefined;
  /** Where the compared stretch begins. */
  readonly from: Instant;
}

export const showsOf =
  (access: Access, onDefaultBranch: boolean): Sight['shows'] =>
  (kind, attribute) =>
    access.allows({
      is: 'object',
      action: 'view',
      kind,
      onDefaultBranch,
      ...(attribute === undefined ? {} : {attribute}),
    });

/** The objects that changes and conflicts name beside those they are about. */
export function namedByChanges(
  changes: readonly NodeChange[],
  conflicts: readonly Conflict[],
): ReadonlySet<NodeId> {
  const ids = new Set<NodeId>();
  const lineage = (state: AttributeState | EdgeProperties | undefined) => {
    if (state?.source) ids.add(state.source);
    if (state?.owner) ids.add(state.owner);
  };
  for (const {attributes, edges} of changes) {
    for (const each of [...attributes, ...edges]) {
      lineage(each.before);
      lineage(each.after);
    }
    for (const {peer} of edges) ids.add(peer);
  }
  for (const {subject, branch, origin} of conflicts) {
    if (subject.is === 'edge') ids.add(subject.peer);
    if (subject.is === 'unique') ids.add(subject.other);
    if (!namesObjects(subject)) continue;
    for (const {value} of [branch, origin]) if (typeof value === 'string') ids.add(value as NodeId);
  }
  return ids;
}

const namesObjects = (subject: Conflict['subject']): boolean =>
  subject.is === 'peer' ||
  (subject.is === 'attribute' && (subject.property === 'source' || subject.property === 'owner'));

/** The changes without hidden kinds, attributes and peers; an object of which nothing is left has no change. */
export function seenChanges(changes: readonly NodeChange[], sight: Sight): readonly NodeChange[] {
  return changes.flatMap(change => {
    if (!sight.shows(change.kind)) return [];
    const attributes = change.attributes
      .filter(({name}) => sight.shows(change.kind, name))
      .flatMap(each => withoutHiddenLineage(each, sight));
    const edges = change.edges
      .filter(({peer}) => isShown(peer, sight))
      .flatMap(each => withoutHiddenLineage(each, sight));
    if (change.action === 'updated' && attributes.length === 0 && edges.length === 0) return [];
    const changedAt =
      change.action === 'removed' ? change.changedAt : lastSeen(change.id, attributes, edges, sight);
    return [{...change, attributes, edges, changedAt}];
  });
}

function isShown(id: NodeId, {kindOf, shows}: Sight): boolean {
  const kind = kindOf(id);
  return kind !== undefined && shows(kind);
}

/** What hidden things did to the object since is no business of the onlooker's. */
function lastSeen(
  node: NodeId,
  attributes: readonly AttributeChange[],
  edges: readonly EdgeChange[],
  sight: Sight,
): Instant {
  const instants = [
    ...attributes.map(({after}) => after?.updatedAt),
    ...edges.map(edge => sight.edgeChangedAt(node, edge)),
  ];
  return Math.max(sight.from, ...instants.map(instant => instant ?? 0)) as Instant;
}

function withoutHiddenLineage<Change extends AttributeChange | EdgeChange>(
  change: Change,
  sight: Sight,
): readonly Change[] {
  const mask = <State extends AttributeState | EdgeProperties>(
    state: State | undefined,
  ): State | undefined =>
    state === undefined
      ? undefined
      : {
          ...state,
          source: state.source !== null && isShown(state.source, sight) ? state.source : null,
          owner: state.owner !== null && isShown(state.owner, sight) ? state.owner : null,
        };
  const [before, after] = [mask(change.before), mask(change.after)];
  const isNothing = before !== undefined && after !== undefined && sameBut(before, after);
  return isNothing ? [] : [{...change, before, after}];
}

const sameBut = (a: AttributeState | EdgeProperties, b: AttributeState | EdgeProperties): boolean =>
  JSON.stringify({...a, updatedAt: null}) === JSON.stringify({...b, updatedAt: null});
