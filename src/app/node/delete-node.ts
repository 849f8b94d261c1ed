import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {objectsDeletedMax, objectsInErrorMax} from '../../domain/node/limits.ts';
import {peerCountProblem} from '../../domain/node/peer-count.ts';
import type {KindRelationship} from '../../domain/node/schema-facts.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import type {WriteScope} from '../write.ts';
import {authorizeChange} from './access.ts';
import {requireNode} from './find-node.ts';
import type {NodeReference} from './node-input.ts';
import type {Placed} from './node-work.ts';
import {NodeWork} from './node-work.ts';
import {objectsRelatedTo} from './objects-related-to.ts';
import {settle} from './settle.ts';

/** The objects that a delete takes, by id. */
type Going = ReadonlyMap<NodeId, Placed>;

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
  for (const node of going.values()) await work.delete(node);
  await settle(work);
  return [...going.keys()];
}

/** The object, what cascades from it, and the service's own records about either. */
async function closure(work: NodeWork, root: Placed): Promise<Going> {
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

async function refuseNeeded(work: NodeWork, root: Placed, going: Going): Promise<void> {
  const inTheWay: {readonly node: Placed; readonly relationship: RelationshipSchema}[] = [];
  for (const [kind, ids] of idsByKind(going)) {
    for (const needing of work.facts.kind(kind).neededBy) {
      if (isInternal(needing)) continue;
      const {relationship} = needing;
      for (const node of await objectsRelatedTo(work.draft, needing, kind, ids)) {
        if (!going.has(node.id) && !(await hasEnoughLeft(work, node, relationship, going))) {
          inTheWay.push({node, relationship});
        }
      }
    }
  }
  if (inTheWay.length === 0) return;
  const objects: {readonly field: string; readonly id: NodeId; readonly needs: NodeId}[] = [];
  for (const {node, relationship} of inTheWay.slice(0, objectsInErrorMax)) {
    for (const {id} of await work.draft.neighbours(node.id, relationship.name)) {
      if (going.has(id)) objects.push({field: `${node.kind}.${relationship.name}`, id: node.id, needs: id});
    }
  }
  const list = objects.map(({field, id, needs}) => `${field} of ${id} needs ${needs}`).join(', ');
  const left = inTheWay.length - objectsInErrorMax;
  const more = left > 0 ? `, and ${left} more` : '';
  throw constraintViolation(
    `Cannot delete ${root.kind} ${root.id}: it is linked to mandatory relationships: ${list}${more}`,
    {kind: root.kind, id: root.id, count: inTheWay.length, objects},
  );
}

async function hasEnoughLeft(
  work: NodeWork,
  node: Placed,
  relationship: RelationshipSchema,
  going: Going,
): Promise<boolean> {
  if (relationship.cardinality === 'one') return false;
  const peers = await work.draft.neighbours(node.id, relationship.name);
  const left = peers.filter(({id}) => !going.has(id)).length;
  return peerCountProblem(relationship, left) === undefined;
}

function idsByKind(nodes: Going): ReadonlyMap<string, readonly NodeId[]> {
  const byKind = new Map<string, NodeId[]>();
  for (const {id, kind} of nodes.values()) {
    const ids = byKind.get(kind);
    if (ids === undefined) byKind.set(kind, [id]);
    else ids.push(id);
  }
  return byKind;
}

/** What others derive from objects must be worked out again once those are gone. */
async function noteReaders(work: NodeWork, going: Going): Promise<void> {
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
