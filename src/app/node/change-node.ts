import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {AttributeWishes} from '../../domain/node/attribute-plan.ts';
import {planUpdate} from '../../domain/node/attribute-plan.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import {byPriority} from '../../domain/node/profile-values.ts';
import type {RelationshipSchema} from '../../domain/schema/schema.ts';
import {endSessions} from './end-sessions.ts';
import {wishesOf} from './lineage.ts';
import {namedProfiles} from './named-profiles.ts';
import type {NodeInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';
import {refuseIfProtected} from './protection.ts';
import {givenPeers} from './related-input.ts';
import type {PlannedPeer} from './resolve-peers.ts';
import {resolvePeers} from './resolve-peers.ts';
import {setPeers} from './set-peers.ts';

/** Changes what the input says about an object, and nothing else. `settle` has yet to run. */
export async function changeNode(work: NodeWork, node: NodeRecord, input: NodeInput): Promise<NodeRecord> {
  const {kind} = work.facts.kind(node.kind);
  work.remember(node);
  const problems: FieldProblem[] = [];
  const wishes = await wishesOf(work, input.attributes, problems);
  const profiles = hasReset(wishes) ? await profilesOf(work, node, input) : [];
  const templates = await templatesAmong(work, node, wishes);
  const plan = planUpdate(kind, node, wishes, byPriority(profiles), source => templates.has(source));
  problems.push(...plan.problems);
  const peers = givenPeers(kind, input.relationships, problems);
  if (problems.length > 0) throw invalidFields(node.kind, problems);
  const planned: (readonly [RelationshipSchema, readonly PlannedPeer[]])[] = [];
  for (const {relationship, list} of peers) {
    planned.push([relationship, await resolvePeers(work, kind, relationship, list, problems)]);
  }
  if (problems.length > 0) throw invalidFields(node.kind, problems);
  const names = Object.keys(plan.writes);
  for (const name of names) {
    const state = node.attribute(name);
    if (state !== undefined) refuseIfProtected(work.scope.caller, state, node.id, name);
  }
  const changed = names.length === 0 ? node : await work.update(node.id, plan.writes);
  if (names.length > 0) work.touchValues(node, names);
  if (kind.attributes.some(each => each.kind === 'HashedPassword' && names.includes(each.name))) {
    await endSessions(work, node.id);
  }
  for (const [relationship, list] of planned) {
    await setPeers(work, node, relationship, list, 'replace');
  }
  return changed;
}

const hasReset = (wishes: AttributeWishes): boolean =>
  Object.values(wishes).some(({value, isDefault}) => value === undefined && isDefault === true);

/** The profiles that an object has after the write. */
async function profilesOf(
  work: NodeWork,
  node: NodeRecord,
  input: NodeInput,
): Promise<readonly NodeRecord[]> {
  if (Object.hasOwn(input.relationships, 'profiles')) {
    return namedProfiles(work, work.facts.kind(node.kind).kind, input);
  }
  const ids = (await work.draft.neighbours(node.id, 'profiles')).map(({id}) => id);
  if (ids.length === 0) return [];
  return (await work.draft.nodes(ids)).filter(each => each !== undefined);
}

/** Which sources of the attributes to be written are templates: a value of one's own is no longer from there. */
async function templatesAmong(
  work: NodeWork,
  node: NodeRecord,
  wishes: AttributeWishes,
): Promise<ReadonlySet<NodeId>> {
  const sources = new Set<NodeId>();
  for (const [name, wish] of Object.entries(wishes)) {
    const source = node.attribute(name)?.source ?? null;
    if (source !== null && wish.value !== undefined && wish.source === undefined) sources.add(source);
  }
  if (sources.size === 0) return sources;
  const nodes = await work.draft.nodes([...sources]);
  const templates = nodes.flatMap(each =>
    each !== undefined && work.schema.templates.has(each.kind) ? each.id : [],
  );
  return new Set(templates);
}
