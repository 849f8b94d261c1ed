import {nodeNotFound, validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {parseNodeId} from '../../domain/graph/node-id.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import type {WriteScope} from '../write.ts';
import {authorizeChange} from './access.ts';
import {unlink} from './edges.ts';
import {refuseCount} from './make-node.ts';
import type {RelatedInput} from './node-input.ts';
import {NodeWork} from './node-work.ts';
import {nameProblem} from './related-input.ts';
import type {PlannedPeer} from './resolve-peers.ts';
import {resolvePeers} from './resolve-peers.ts';
import {setPeers} from './set-peers.ts';
import {settle, settled} from './settle.ts';

export interface PeersRequest {
  readonly id: string;
  readonly relationship: string;
  readonly peers: readonly RelatedInput[];
}

/** Adds peers to an object; those it has already stay as they are. */
export async function addPeers(scope: WriteScope, request: PeersRequest): Promise<NodeRecord> {
  const {work, node, relationship, planned} = await begin(scope, request);
  await setPeers(work, node, relationship, planned, 'add');
  await settle(work);
  return settled(work, node);
}

/** Takes peers from an object; those it does not have are no matter. */
export async function removePeers(scope: WriteScope, request: PeersRequest): Promise<NodeRecord> {
  const {work, node, relationship, planned} = await begin(scope, request);
  const current = new Map(
    (await work.draft.neighbours(node.id, relationship.name)).map(each => [each.id, each]),
  );
  const leaving = new Set(
    planned.flatMap(peer => (peer.is === 'known' ? (current.get(peer.node.id) ?? []) : [])),
  );
  if (leaving.size > 0) refuseCount(node, relationship, current.size - leaving.size);
  for (const peer of leaving) await unlink(work, node, relationship, peer);
  await settle(work);
  return settled(work, node);
}

async function begin(
  scope: WriteScope,
  {id, relationship: name, peers}: PeersRequest,
): Promise<{
  readonly work: NodeWork;
  readonly node: NodeRecord;
  readonly relationship: RelationshipSchema;
  readonly planned: readonly PlannedPeer[];
}> {
  const work = new NodeWork(scope);
  const node = await work.node(parseNodeId(id));
  if (node === undefined) throw nodeNotFound('CoreNode', id);
  authorizeChange(scope, 'update', node.kind);
  const {kind} = work.facts.kind(node.kind);
  const problem = nameProblem(kind, name);
  if (problem !== undefined) throw invalidFields(node.kind, [problem]);
  const relationship = kind.fields.get(name);
  if (relationship?.is !== 'relationship' || relationship.cardinality !== 'many') {
    throw validationError(`${name} of ${node.kind} has one peer at most; update the object instead`, {
      kind: node.kind,
      relationship: name,
    });
  }
  const problems: FieldProblem[] = [];
  const planned = await resolvePeers(work, kind, relationship, peers, problems);
  if (problems.length > 0) throw invalidFields(node.kind, problems);
  return {work, node, relationship, planned};
}
