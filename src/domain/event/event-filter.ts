import type {BranchName} from '../branch/branch.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {EventType} from './event-type.ts';
import type {GraphEvent} from './graph-event.ts';

/** Which events somebody wants; what is left out does not matter. */
export interface EventFilter {
  /** What happens on it, to what every branch shares, and to branches as such. */
  readonly branch?: BranchName;
  readonly types?: ReadonlySet<EventType>;
  readonly kinds?: ReadonlySet<string>;
  readonly ids?: ReadonlySet<string>;
  readonly account?: NodeId;
}

/** The event as far as it is wanted; undefined when it is not. */
export function wantedEvent(event: GraphEvent, filter: EventFilter): GraphEvent | undefined {
  const {branch, types, kinds, ids, account} = filter;
  const isWanted =
    (types === undefined || types.has(event.type)) &&
    (kinds === undefined || (event.kind !== null && kinds.has(event.kind))) &&
    (ids === undefined || (event.nodeId !== null && ids.has(event.nodeId))) &&
    (account === undefined || event.account === account);
  if (!isWanted) return undefined;
  const isElsewhere = branch !== undefined && event.branch !== branch && event.detail.is !== 'branch';
  return isElsewhere ? sharedPart(event) : event;
}

/** What other branches see of it. */
function sharedPart(event: GraphEvent): GraphEvent | undefined {
  const {detail, type} = event;
  if (!event.isShared) return undefined;
  if (detail.is !== 'node' || type === 'service.node.created' || type === 'service.node.deleted')
    return event;
  const attributes = detail.attributes.filter(({isShared}) => isShared);
  const edges = detail.edges.filter(({isShared}) => isShared);
  return {...event, detail: {...detail, attributes, edges}};
}
