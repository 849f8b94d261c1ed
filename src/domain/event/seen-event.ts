import type {Access} from '../access/access.ts';
import {FULL_ACCESS} from '../access/access.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {EventType} from './event-type.ts';
import type {GraphEvent} from './graph-event.ts';

/** Who looks at the log, and from where. */
export interface Onlooker {
  readonly account: NodeId | null;
  readonly access: Access;
  readonly onDefaultBranch: boolean;
}

const ACCOUNT = 'CoreAccount';

/** The attribute that an event tells the change of, whatever else has changed. */
const CAUSES: Partial<Record<EventType, string>> = {
  'service.artifact.created': 'checksum',
  'service.artifact.updated': 'checksum',
  'service.repository.update_commit': 'commit',
};

/**
 * The event as somebody may see it: without hidden attributes, peers and members, and without its author when
 * accounts are hidden. Undefined when nothing is left to be told.
 */
export function seenEvent(
  event: GraphEvent,
  onlooker: Onlooker,
  isDefault: (branch: GraphEvent['branch']) => boolean,
): GraphEvent | undefined {
  const {access, account} = onlooker;
  if (access === FULL_ACCESS) return event;
  const onDefaultBranch = event.isShared ? onlooker.onDefaultBranch : isDefault(event.branch);
  const shows = (kind: string, attribute?: string): boolean =>
    access.allows({
      is: 'object',
      action: 'view',
      kind,
      onDefaultBranch,
      ...(attribute === undefined ? {} : {attribute}),
    });
  const {kind, detail} = event;
  if (kind !== null && !shows(kind)) return undefined;
  const author = event.account === account || shows(ACCOUNT) ? event.account : null;
  const seen = {...event, account: author};
  switch (detail.is) {
    case 'node': {
      const cause = CAUSES[event.type];
      if (cause !== undefined && !shows(kind ?? '', cause)) return undefined;
      const attributes = detail.attributes.filter(({name}) => shows(kind ?? '', name));
      const edges = detail.edges.filter(({peerKind}) => shows(peerKind));
      const isNothing = attributes.length === 0 && edges.length === 0;
      if (isNothing && event.type !== 'service.node.created' && event.type !== 'service.node.deleted')
        return undefined;
      return {...seen, detail: {...detail, attributes, edges}};
    }
    case 'members': {
      const members = detail.members.filter(member => shows(member.kind));
      return members.length === 0 ? undefined : {...seen, detail: {...detail, members}};
    }
    default:
      return seen;
  }
}
