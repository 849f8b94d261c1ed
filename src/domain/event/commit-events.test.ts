import {describe, expect, test} from 'vitest';
import type {BranchName} from '../branch/branch.ts';
import type {AttributeState} from '../graph/node.ts';
import {PLAIN_EDGE} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Instant} from '../time/instant.ts';
import {type CommitFacts, nodeEvents, wholeEvents} from './commit-events.ts';
import {formatPlace, parsePlace} from './event-place.ts';
import type {CommittedNode, EventAttribute, EventEdge} from './graph-event.ts';

const facts: CommitFacts = {
  instant: (Date.UTC(2030, 0, 1) * 1000) as Instant,
  branch: 'main' as BranchName,
  author: null,
  changesSchema: false,
};

const state = (value: string | null): AttributeState => ({
  value,
  isDefault: false,
  isFromProfile: false,
  isProtected: false,
  isVisible: true,
  source: null,
  owner: null,
  updatedAt: 1 as Instant,
});

const attribute = (
  name: string,
  before: string | null | undefined,
  after: string | null | undefined,
): EventAttribute => ({
  name,
  kind: 'Text',
  isShared: false,
  before: before === undefined ? undefined : state(before),
  after: after === undefined ? undefined : state(after),
});

const edge = (relationship: string, peerKind: string, is: 'added' | 'removed'): EventEdge => ({
  relationship,
  peer: `peer-${relationship}` as NodeId,
  peerKind,
  isShared: true,
  before: is === 'removed' ? PLAIN_EDGE : undefined,
  after: is === 'added' ? PLAIN_EDGE : undefined,
});

const node = (more: Partial<CommittedNode>): CommittedNode => ({
  id: 'node' as NodeId,
  kind: 'TestThing',
  generics: ['CoreNode'],
  action: 'updated',
  isShared: false,
  attributes: [],
  edges: [],
  ...more,
});

const types = (more: Partial<CommittedNode>) => nodeEvents(facts, node(more), 0).map(event => event.type);

describe('what a commit tells of an object', () => {
  test('an artifact with its first content is created, with other content updated', () => {
    const artifact = (before: string | null, after: string | null) =>
      types({kind: 'CoreArtifact', attributes: [attribute('checksum', before, after)]});
    expect(artifact(null, 'a')).toEqual(['service.node.updated', 'service.artifact.created']);
    expect(artifact('a', 'b')).toEqual(['service.node.updated', 'service.artifact.updated']);
    expect(artifact('a', null)).toEqual(['service.node.updated']);
  });

  test('a repository at another commit says so', () => {
    const generics = ['CoreNode', 'CoreGenericRepository'];
    expect(types({generics, attributes: [attribute('commit', 'a', 'b')]})).toContain(
      'service.repository.update_commit',
    );
    expect(types({generics, attributes: [attribute('name', 'a', 'b')]})).toEqual(['service.node.updated']);
  });

  test('members that come and go are told apart, in every kind of group', () => {
    const edges = [
      edge('members', 'TestThing', 'added'),
      {...edge('members', 'TestThing', 'removed'), peer: 'x' as NodeId},
    ];
    expect(types({generics: ['CoreGroup'], edges})).toEqual([
      'service.node.updated',
      'service.group.member_added',
      'service.group.member_removed',
    ]);
    expect(types({generics: ['CoreGroup'], edges, action: 'removed'})).toEqual(['service.node.deleted']);
  });

  test('a session that begins is a login, one that ends early a logout, one that ran out nothing', () => {
    const session = (action: CommittedNode['action'], ends: string) =>
      nodeEvents(
        facts,
        node({
          kind: 'InternalRefreshToken',
          action,
          attributes: [
            action === 'added'
              ? attribute('expiration', undefined, ends)
              : attribute('expiration', ends, undefined),
          ],
          edges: [edge('account', 'CoreAccount', action === 'added' ? 'added' : 'removed')],
        }),
        0,
      );
    expect(session('added', '2030-02-01T00:00:00Z')).toMatchObject([
      {type: 'service.account.logged_in', nodeId: 'peer-account', kind: 'CoreAccount'},
    ]);
    expect(session('removed', '2030-02-01T00:00:00Z')).toMatchObject([{type: 'service.account.logged_out'}]);
    expect(session('removed', '2029-12-01T00:00:00Z')).toEqual([]);
  });

  test('what is internal is not told, nor that somebody was linked to it', () => {
    expect(types({kind: 'InternalAccountToken', attributes: [attribute('name', 'a', 'b')]})).toEqual([]);
    expect(types({kind: 'CoreAccount', edges: [edge('tokens', 'InternalAccountToken', 'added')]})).toEqual(
      [],
    );
  });
});

test('what a commit did as a whole comes first, and places keep the order of events as text', () => {
  const ofBranch = {type: 'merged', id: 'b', name: 'side' as BranchName, other: facts.branch} as const;
  const whole = wholeEvents({...facts, changesSchema: true, ofBranch});
  const events = [
    ...whole,
    ...nodeEvents(facts, node({attributes: [attribute('a', 'b', 'c')]}), 0),
    ...nodeEvents(facts, node({attributes: [attribute('a', 'b', 'c')]}), 40_000),
  ];
  expect(events.map(event => event.type)).toEqual([
    'service.branch.merged',
    'service.schema.updated',
    'service.node.updated',
    'service.node.updated',
  ]);
  const ids = events.map(event => formatPlace(event.place));
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.map(id => parsePlace(id))).toEqual(events.map(event => event.place));
  expect(parsePlace('nonsense')).toBe(undefined);
});
