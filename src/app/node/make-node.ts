import type {EdgeProperties, NodeRecord} from '../../domain/graph/node.ts';
import {parseNodeId} from '../../domain/graph/node-id.ts';
import {planCreate} from '../../domain/node/attribute-plan.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields, mandatoryProblem, violatedFields} from '../../domain/node/field-problem.ts';
import {peerCountProblem} from '../../domain/node/peer-count.ts';
import {byPriority} from '../../domain/node/profile-values.ts';
import type {KindFacts} from '../../domain/node/schema-facts.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import {authorizeChange} from './access.ts';
import {link} from './edges.ts';
import {expandTemplate} from './expand-template.ts';
import {wishesOf} from './lineage.ts';
import {namedProfiles} from './named-profiles.ts';
import type {NodeInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';
import {givenPeers} from './related-input.ts';
import type {PlannedPeer} from './resolve-peers.ts';
import {resolvePeers} from './resolve-peers.ts';

/** The object inside whose input another is made, and the relationship by which that one knows it. */
interface Via {
  readonly relationship: RelationshipSchema | undefined;
  readonly peer: NodeRecord;
}

/** Makes an object with its edges and with the objects nested in its input. `settle` has yet to run. */
export async function makeNode(
  work: NodeWork,
  kindName: string,
  given: NodeInput,
  via?: Via,
): Promise<NodeRecord> {
  const facts = work.concreteKind(kindName);
  const {kind} = facts;
  authorizeChange(work.scope, 'create', kindName, Object.keys(given.attributes));
  const id = given.id === undefined ? work.scope.ids.nodeId() : parseNodeId(given.id);
  const input = await expandTemplate(work, kind, given);
  const named = await namedProfiles(work, kind, input);
  const profiles = byPriority(via?.relationship?.kind === 'Profile' ? [...named, via.peer] : named);
  const problems: FieldProblem[] = [];
  const wishes = await wishesOf(work, input.attributes, problems);
  const plan = planCreate(kind, wishes, profiles);
  problems.push(...plan.problems);
  const peers = givenPeers(kind, input.relationships, problems);
  problems.push(...missingRelationships(facts, input, via));
  if (problems.length > 0) throw invalidFields(kindName, problems);
  const planned: (readonly [RelationshipSchema, readonly PlannedPeer[]])[] = [];
  for (const {relationship, list} of peers) {
    planned.push([relationship, await resolvePeers(work, kind, relationship, list, problems)]);
  }
  if (problems.length > 0) throw invalidFields(kindName, problems);
  const node = await work.create(id, kindName, plan.writes);
  for (const [relationship, list] of planned) {
    await givePeers(work, node, relationship, list, via?.relationship === relationship ? 1 : 0);
  }
  return node;
}

/** Makes a nested object, and the edge that leads to it. */
export async function makePeer(
  work: NodeWork,
  node: NodeRecord,
  relationship: RelationshipSchema,
  peer: Extract<PlannedPeer, {is: 'new'}>,
): Promise<void> {
  const inverse = work.facts.inverse(relationship, peer.kind);
  const made = await makeNode(work, peer.kind, peer.data, {relationship: inverse, peer: node});
  await link(work, node, relationship, made, peer.properties);
}

async function givePeers(
  work: NodeWork,
  node: NodeRecord,
  relationship: RelationshipSchema,
  planned: readonly PlannedPeer[],
  already: number,
): Promise<void> {
  const known = new Map<string, {readonly node: NodeRecord; readonly properties: Partial<EdgeProperties>}>();
  for (const peer of planned) if (peer.is === 'known') known.set(peer.node.id, peer);
  const fresh = planned.filter(peer => peer.is === 'new');
  refuseCount(node, relationship, known.size + fresh.length + already);
  for (const peer of known.values()) await link(work, node, relationship, peer.node, peer.properties);
  for (const peer of fresh) await makePeer(work, node, relationship, peer);
}

export function refuseCount(node: NodeRecord, relationship: RelationshipSchema, count: number): void {
  const message = peerCountProblem(relationship, count);
  if (message !== undefined) throw violatedFields(node.kind, [{field: relationship.name, message}]);
}

function missingRelationships(facts: KindFacts, input: NodeInput, via: Via | undefined): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const relationship of facts.mandatoryRelationships) {
    const {name} = relationship;
    if (via?.relationship === relationship || Object.hasOwn(input.relationships, name)) continue;
    problems.push(mandatoryProblem(facts.kind.kind, name));
  }
  const nested = via?.relationship;
  if (nested?.cardinality === 'one' && Object.hasOwn(input.relationships, nested.name)) {
    const message = `${nested.name} is the object that this one is nested in; leave it out`;
    problems.push({field: nested.name, message});
  }
  return problems;
}
