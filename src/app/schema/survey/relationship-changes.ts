import type {Condition} from '../../../domain/query/node-query.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import {implementations} from '../../../domain/schema/lookup.ts';
import type {RelationshipSchema} from '../../../domain/schema/schema.ts';
import {type KindPair, type Look, relationshipNow} from './look.ts';
import type {Survey} from './survey.ts';
import type {Constraint} from './violations.ts';

type Change<Is extends SchemaChange['is']> = Extract<SchemaChange, {is: Is}>;

const pathOf = (pair: KindPair, relationship: string, property?: string): string =>
  ['schema', pair.after.kind, relationship, ...(property === undefined ? [] : [property])].join('/');

const ofKinds = (kinds: readonly string[]): Condition => ({is: 'kind', in: kinds});
const notOfKinds = (kinds: readonly string[]): Condition => ({is: 'not', of: ofKinds(kinds)});

/** Peers that the change leaves: those of kinds that go are no longer peers. */
function staying(look: Look): {readonly where?: Condition} {
  const leaving = look.leaving();
  return leaving.length === 0 ? {} : {where: notOfKinds(leaving)};
}

/** Whether a number of peers is allowed; no more than `max_count`, of which 0 means no bound. */
export const isAllowed = ({min_count, max_count}: RelationshipSchema, count: number): boolean =>
  count >= min_count && (max_count === 0 || count <= max_count);

export async function surveyCounts(
  survey: Survey,
  pair: KindPair,
  {relationship, constraint: name}: Change<'relationship-counts-tightened'>,
): Promise<void> {
  const {look} = survey;
  const now = relationshipNow(pair, relationship);
  if (now === undefined || !(await look.isInhabited(pair.before.kind))) return;
  const property = name.split('.')[1] ?? '';
  const constraint = {name, path: pathOf(pair, relationship.name, property)};
  const where = staying(look);
  const related: Condition = {is: 'related', relationship: now.name, ...where};
  const isMinTighter = relationship.min_count > now.min_count;
  if (isMinTighter) await survey.refuseWhere(pair.before.kind, {is: 'not', of: related}, constraint);
  const include = [{relationship: now.name, nodes: false, count: true, ...where}];
  for await (const found of look.objects(pair.before.kind, {where: related, include})) {
    const count = found.included[0]?.count ?? 0;
    if (count > 0 && !isAllowed(relationship, count)) survey.refuse(constraint, found.node);
  }
}

export async function surveyPeer(
  survey: Survey,
  pair: KindPair,
  {relationship, constraint}: Change<'relationship-peer-changed'>,
): Promise<void> {
  const now = relationshipNow(pair, relationship);
  if (now === undefined) return;
  const path = pathOf(pair, relationship.name, 'peer');
  await refuseOtherPeers(survey, pair, now.name, relationship.peer, {name: constraint, path});
}

export async function surveyHierarchy(
  survey: Survey,
  pair: KindPair,
  {relationship, allowed, constraint}: Change<'hierarchy-changed'>,
): Promise<void> {
  if (!pair.before.fields.has(relationship)) return;
  const path = pathOf(pair, relationship);
  await refuseOtherPeers(survey, pair, relationship, allowed, {name: constraint, path});
}

async function refuseOtherPeers(
  survey: Survey,
  {before}: KindPair,
  relationship: string,
  peer: string,
  constraint: Constraint,
): Promise<void> {
  const {look} = survey;
  const allowed = [...(peer === '' ? [] : look.namesNow(peer)), ...look.leaving()];
  const where: Condition = {is: 'related', relationship, where: notOfKinds(allowed)};
  await survey.refuseWhere(before.kind, where, constraint);
}

/** Each peer must have the object's own parent as its parent. */
export async function surveyCommonParent(
  survey: Survey,
  pair: KindPair,
  {relationship, constraint: name}: Change<'common-parent-required'>,
): Promise<void> {
  const {look} = survey;
  const now = relationshipNow(pair, relationship);
  const parent = pair.before.relationships.find(({kind}) => kind === 'Parent');
  if (now === undefined || parent === undefined || relationship.common_parent === null) return;
  const parents = peerParents(look, relationship);
  const constraint = {name, path: pathOf(pair, relationship.name, 'common_parent')};
  const include = [
    {relationship: parent.name},
    {relationship: now.name, include: parents.map(each => ({relationship: each}))},
  ];
  const where: Condition = {is: 'related', relationship: now.name};
  for await (const {node, included} of look.objects(pair.before.kind, {where, include})) {
    const own = included[0]?.found[0]?.node.id;
    const isCommon = included[1]?.found.every(peer => {
      const theirs = peer.included.flatMap(page => page.found.map(found => found.node.id));
      return theirs.every(id => id === own);
    });
    if (isCommon === false) survey.refuse(constraint, node);
  }
}

/** What the peers now call the relationship that `common_parent` names. */
function peerParents(look: Look, relationship: RelationshipSchema): readonly string[] {
  const names = implementations(look.after, relationship.peer).flatMap(kind => {
    const peer = look.pair(kind);
    const theirs = peer?.after.relationships.find(({name}) => name === relationship.common_parent);
    return peer === undefined || theirs === undefined ? [] : (relationshipNow(peer, theirs)?.name ?? []);
  });
  return [...new Set(names)];
}

/** Objects that cannot do without a peer of a kind that goes. */
export async function surveyLeavingPeers(survey: Survey): Promise<void> {
  const {look} = survey;
  const leaving: string[] = [];
  for (const kind of look.leaving()) if (await look.isInhabited(kind)) leaving.push(kind);
  if (leaving.length === 0) return;
  for (const after of [...look.after.nodes.values(), ...look.after.templates.values()]) {
    const pair = look.pair(after.kind);
    if (pair === undefined) continue;
    for (const relationship of after.relationships) {
      if (relationship.min_count === 0) continue;
      const now = relationshipNow(pair, relationship);
      const peers = now === undefined ? [] : implementations(look.before, now.peer);
      if (now === undefined || !leaving.some(kind => peers.includes(kind))) continue;
      const constraint = {name: 'node.kind.remove', path: pathOf(pair, relationship.name)};
      const where: Condition = {is: 'related', relationship: now.name, where: ofKinds(leaving)};
      const include = [{relationship: now.name, nodes: false, count: true, where: notOfKinds(leaving)}];
      for await (const {node, included} of look.objects(pair.before.kind, {where, include})) {
        if ((included[0]?.count ?? 0) < relationship.min_count) survey.refuse(constraint, node);
      }
    }
  }
}
