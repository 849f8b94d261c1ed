import type {BranchName} from '../branch/branch.ts';
import type {NodeId} from '../graph/node-id.ts';
import {type Instant, parseIsoMicros} from '../time/instant.ts';
import type {EventPlace} from './event-place.ts';
import type {EventType} from './event-type.ts';
import type {CommittedNode, EventDetail, EventEdge, GraphEvent, Member} from './graph-event.ts';

/** What is known of a commit beside the objects it changed. */
export interface CommitFacts {
  readonly instant: Instant;
  readonly branch: BranchName;
  readonly author: NodeId | null;
  readonly changesSchema: boolean;
  /** What it did to a branch as a whole. */
  readonly ofBranch?: {
    readonly type: 'created' | 'deleted' | 'merged' | 'rebased';
    readonly id: string;
    readonly name: BranchName;
    readonly other?: BranchName;
  };
}

/** Places that one object's events may take within their commit. */
export const PLACES_PER_NODE = 16;

/** What a commit did as a whole: it comes before what it did to objects. */
export function wholeEvents(facts: CommitFacts): readonly GraphEvent[] {
  const events: GraphEvent[] = [];
  const add = (type: EventType, nodeId: string | null, detail: EventDetail) =>
    events.push(eventOf(facts, events.length, {type, nodeId, kind: null, isShared: false, detail}));
  const {ofBranch} = facts;
  if (ofBranch !== undefined) {
    const {type, id, name, other} = ofBranch;
    add(`service.branch.${type}`, id, {is: 'branch', name, other});
  }
  if (facts.changesSchema) add('service.schema.updated', null, {is: 'schema'});
  return events;
}

/** What a commit did to one object, the `index`th of those it changed. */
export function nodeEvents(facts: CommitFacts, node: CommittedNode, index: number): readonly GraphEvent[] {
  const first = (index + 1) * PLACES_PER_NODE;
  return [...aboutNode(node), ...aboutSession(facts, node)].map((each, place) =>
    eventOf(facts, first + place, each),
  );
}

type Told = Pick<GraphEvent, 'type' | 'nodeId' | 'kind' | 'isShared' | 'detail'>;

function eventOf({instant, branch, author}: CommitFacts, ordinal: number, told: Told): GraphEvent {
  const place: EventPlace = {instant, ordinal};
  return {place, branch, account: author, isSystem: author === null, ...told};
}

const NODE_TYPES = {
  added: 'service.node.created',
  updated: 'service.node.updated',
  removed: 'service.node.deleted',
} as const;

const isInternal = (kind: string): boolean => kind.startsWith('Internal');

function aboutNode(node: CommittedNode): readonly Told[] {
  if (isInternal(node.kind)) return [];
  const edges = node.edges.filter(edge => !isInternal(edge.peerKind));
  const {attributes} = node;
  if (node.action === 'updated' && attributes.length === 0 && edges.length === 0) return [];
  const tell = (type: EventType, detail: EventDetail): Told => ({
    type,
    nodeId: node.id,
    kind: node.kind,
    isShared: node.isShared,
    detail,
  });
  const changes = {is: 'node', attributes, edges} as const;
  return [
    tell(NODE_TYPES[node.action], changes),
    ...aboutMembers(node).map(([type, members]) => tell(type, {is: 'members', members})),
    ...aboutContent(node).map(type => tell(type, changes)),
  ];
}

/** Members that a group got and lost. Of a group that is gone, the group is what is told of. */
function aboutMembers(node: CommittedNode): readonly (readonly [EventType, readonly Member[]])[] {
  if (!node.generics.includes('CoreGroup') || node.action === 'removed') return [];
  const members = node.edges.filter(edge => edge.relationship === 'members');
  const all = (edges: readonly EventEdge[]): readonly Member[] =>
    edges.map(({peer, peerKind}) => ({id: peer, kind: peerKind}));
  const came = members.filter(edge => edge.before === undefined);
  const went = members.filter(edge => edge.after === undefined);
  return [
    ...(came.length === 0 ? [] : [['service.group.member_added', all(came)] as const]),
    ...(went.length === 0 ? [] : [['service.group.member_removed', all(went)] as const]),
  ];
}

/** Kinds whose objects stand for content that is kept elsewhere. */
function aboutContent(node: CommittedNode): readonly EventType[] {
  if (node.action === 'removed') return [];
  const changed = (name: string) => {
    const attribute = node.attributes.find(each => each.name === name);
    const [before, after] = [attribute?.before?.value ?? null, attribute?.after?.value ?? null];
    return after === null || after === before ? undefined : {before};
  };
  if (node.kind === 'CoreArtifact') {
    const content = changed('checksum');
    if (content === undefined) return [];
    return [content.before === null ? 'service.artifact.created' : 'service.artifact.updated'];
  }
  if (node.generics.includes('CoreGenericRepository') && changed('commit') !== undefined) {
    return ['service.repository.update_commit'];
  }
  return [];
}

/** A session that begins is a login; one that ends before its time is a logout. */
function aboutSession({instant}: CommitFacts, node: CommittedNode): readonly Told[] {
  if (node.kind !== 'InternalRefreshToken' || node.action === 'updated') return [];
  const account = node.edges.find(edge => edge.relationship === 'account');
  if (account === undefined) return [];
  const {peer: nodeId, peerKind: kind} = account;
  if (node.action === 'removed' && hasRunOut(node, instant)) return [];
  const type = node.action === 'added' ? 'service.account.logged_in' : 'service.account.logged_out';
  return [{type, nodeId, kind, isShared: true, detail: {is: 'none'}}];
}

function hasRunOut(session: CommittedNode, instant: Instant): boolean {
  const expiration = session.attributes.find(({name}) => name === 'expiration')?.before?.value;
  const ends = typeof expiration === 'string' ? parseIsoMicros(expiration) : undefined;
  return ends !== undefined && ends <= instant;
}
