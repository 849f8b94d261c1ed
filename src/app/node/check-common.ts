import type {NodeId} from '../../domain/graph/node-id.ts';
import {violatedFields} from '../../domain/node/field-problem.ts';
import type {KindFacts, KindRelationship} from '../../domain/node/schema-facts.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import type {NodeWork, Placed, TouchedEnd} from './node-work.ts';
import {objectsRelatedTo} from './objects-related-to.ts';

/** Refuses peers that do not share with their object, or with each other, what the schema wants in common. */
export async function checkCommon(work: NodeWork, end: TouchedEnd): Promise<void> {
  const node = {id: end.node, kind: end.kind};
  const facts = work.facts.kind(end.kind);
  const touched = end.relationship.name;
  // All edges of an object made just now are checked for themselves, and so are those that lead to it.
  const isMade = work.made.has(node.id);
  for (const relationship of facts.asksInCommon) {
    const isOwn = relationship === end.relationship && end.gained;
    const isMoved = end.relationship === facts.parent && relationship.common_parent !== null && !isMade;
    if (isOwn || isMoved) await checkPeers(work, node, relationship);
  }
  if (isMade) return;
  for (const watcher of facts.watchedBy) {
    if (!watches(watcher.relationship, touched)) continue;
    for (const watching of await objectsRelatedTo(work.draft, watcher, end.kind, [node.id])) {
      await checkPeers(work, watching, watcher.relationship);
    }
  }
}

/** False when nothing is wanted in common of objects of a kind: then there is nothing to check. */
export const isInCommon = ({asksInCommon, watchedBy}: KindFacts): boolean =>
  asksInCommon.length > 0 || watchedBy.length > 0;

const watches = (
  {common_parent, common_relatives}: KindRelationship['relationship'],
  name: string,
): boolean => common_parent === name || common_relatives?.includes(name) === true;

async function checkPeers(work: NodeWork, node: Placed, relationship: RelationshipSchema): Promise<void> {
  const {common_parent, common_relatives, name} = relationship;
  const peers = await work.draft.neighbours(node.id, name);
  if (peers.length === 0) return;
  if (common_parent !== null) {
    const parent = work.facts.kind(node.kind).parent;
    const own = parent === undefined ? '' : await relativesOf(work, node.id, parent.name);
    for (const peer of peers) {
      if ((await relativesOf(work, peer.id, common_parent)) === own) continue;
      const message = `${peer.id} does not have the same ${common_parent} as ${node.id}`;
      throw violatedFields(node.kind, [{field: name, message}]);
    }
  }
  for (const relative of common_relatives ?? []) {
    const [first, ...others] = peers;
    const shared = first === undefined ? '' : await relativesOf(work, first.id, relative);
    for (const peer of others) {
      if ((await relativesOf(work, peer.id, relative)) === shared) continue;
      const message = `${peer.id} and ${first?.id} do not have the same ${relative}`;
      throw violatedFields(node.kind, [{field: name, message}]);
    }
  }
}

/** The peers of an object as one text, so that equal sets are equal. */
async function relativesOf(work: NodeWork, node: NodeId, relationship: string): Promise<string> {
  const peers = await work.draft.neighbours(node, relationship);
  return peers
    .map(({id}) => id)
    .sort()
    .join();
}
