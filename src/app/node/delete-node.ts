import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {objectsDeletedMax, objectsInErrorMax} from '../../domain/node/limits.ts';
import {peerCountProblem} from '../../domain/node/peer-count.ts';
import type {KindRelationship} from '../../domain/node/schema-facts.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import type {WriteScope} from '../write.ts';
import {authorizeChange} from './access.ts';
import {requireNode} from './find-node.ts';
import type {NodeReference} from './node-input.ts';
import type {Placed} from './node-work.ts';
import {NodeWork} from './node-work.ts';
import {objectsRelatedTo} from './objects-related-to.ts';
import {settle} from './settle.ts';

/**
 * Deletes an object with everything that goes with it, and answers the ids of all that went, its own first.
 * Refused while an object that stays cannot do without one that would go.
 */
export async function deleteNode(
  scope: WriteScope,
  kind: string,
  reference: NodeReference,
): Promise<readonly NodeId[]> {
  if (concreteKindOf(scope.schema, kind) !== undefined) authorizeChange(scope, 'delete', kind);
  const root = await requireNode(scope.draft, scope.schema, kind, reference);
  const work = new NodeWork(scope);
  const going = await closure(work, root);
  for (const name of new Set(Array.from(going.values(), each => each.kind))) {
    authorizeChange(scope, 'delete', name);
  }
  await refuseNeeded(work, root, going);
  await noteReaders(work, going);
  for (const id of going.keys()) {
    work.deleted.add(id);
    await work.draft.delete(id);
  }
  await settle(work);
  return [...going.keys()];
}

/** The object, what cascades from it, and the service's own records about either. */
async function closure(work: NodeWork, root: Placed): Promise<ReadonlyMap<NodeId, Placed>> {
  const going = new Map<NodeId, Placed>([[root.id, root]]);
  const take = (node: Placed) => {
    going.set(node.id, node);
    if (going.size <= objectsDeletedMax) return;
    throw validationError(`${root.kind} ${root.id} would take along more than ${objectsDeletedMax} objects`);
  };
  // A map yields what is added to it while it is walked.
  for (const {id, kind} of going.values()) {
    const facts = work.facts.kind(kind);
    for (const {name, on_delete} of facts.kind.relationships) {
      if (on_delete !== 'cascade') continue;
      for (const peer of await work.draft.neighbours(id, name)) {
        if (!going.has(peer.id)) take({id: peer.id, kind: peer.kind});
      }
    }
    for (const needing of facts.neededBy) {
      if (!isInternal(needing)) continue;
      for (const record of await objectsRelatedTo(work.draft, needing, kind, [id])) {
        if (!going.has(record.id)) take({id: record.id, kind: record.kind});
      }
    }
  }
  return going;
}

/** Sessions, keys and the like say something about an object and mean nothing without it. */
const isInternal = ({kind}: KindRelationship): boolean => kind.namespace === 'Internal';

async function refuseNeeded(work: NodeWork, root: Placed, going: ReadonlyMap<NodeId, Placed>): Promise<void> {
  const inTheWay: {readonly field: string; readonly id: NodeId; readonly needs: NodeId}[] = [];
  for (const [kind, ids] of idsByKind(going)) {
    for (const needing of work.facts.kind(kind).neededBy) {
      const {relationship} = needing;
      if (isInternal(needing)) continue;
      for (const other of await objectsRelatedTo(work.draft, needing, kind, ids)) {
        if (going.has(other.id)) continue;
        const peers = await work.draft.neighbours(other.id, relationship.name);
        const needs = peers.find(peer => going.has(peer.id))?.id;
        const left = peers.filter(peer => !going.has(peer.id)).length;
        if (needs === undefined || peerCountProblem(relationship, left) === undefined) continue;
        inTheWay.push({field: `${other.kind}.${relationship.name}`, id: other.id, needs});
      }
    }
  }
  if (inTheWay.length === 0) return;
  const shown = inTheWay.slice(0, objectsInErrorMax);
  const list = shown.map(({field, id, needs}) => `${field} of ${id} needs ${needs}`).join(', ');
  const more = inTheWay.length > shown.length ? `, and ${inTheWay.length - shown.length} more` : '';
  throw constraintViolation(
    `Cannot delete ${root.kind} ${root.id}: it is linked to mandatory relationships: ${list}${more}`,
    {kind: root.kind, id: root.id, count: inTheWay.length, objects: shown},
  );
}

function idsByKind(nodes: ReadonlyMap<NodeId, Placed>): ReadonlyMap<string, readonly NodeId[]> {
  const byKind = new Map<string, NodeId[]>();
  for (const {id, kind} of nodes.values()) {
    const ids = byKind.get(kind);
    if (ids === undefined) byKind.set(kind, [id]);
    else ids.push(id);
  }
  return byKind;
}

/** What others derive from objects must be worked out again once those are gone. */
async function noteReaders(work: NodeWork, going: ReadonlyMap<NodeId, Placed>): Promise<void> {
  for (const [kind, ids] of idsByKind(going)) {
    const facts = work.facts.kind(kind);
    for (const reader of new Set([...facts.peerReaders.values()].flat())) {
      for (const other of await objectsRelatedTo(work.draft, reader, kind, ids)) {
        work.touchEnd(other, reader.relationship, 'lost', false);
      }
    }
    if (!work.schema.profiles.has(kind)) continue;
    for (const relationship of facts.kind.relationships) {
      if (relationship.kind !== 'Profile') continue;
      for (const id of ids) {
        for (const user of await work.draft.neighbours(id, relationship.name)) {
          const inverse = work.facts.inverse(relationship, user.kind);
          if (inverse !== undefined) work.touchEnd(user, inverse, 'lost', false);
        }
      }
    }
  }
}
