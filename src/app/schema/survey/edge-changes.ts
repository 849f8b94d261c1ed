import type {NodeId} from '../../../domain/graph/node-id.ts';
import {opposite} from '../../../domain/graph/shape.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import {concreteKinds, implementations} from '../../../domain/schema/lookup.ts';
import type {ConcreteSchema, RelationshipSchema} from '../../../domain/schema/schema.ts';
import {type KindPair, type Look, relationshipNow} from './look.ts';
import {isAllowed} from './relationship-changes.ts';
import type {Survey} from './survey.ts';

type Change<Is extends SchemaChange['is']> = Extract<SchemaChange, {is: Is}>;
type Identity = Pick<RelationshipSchema, 'identifier' | 'direction'>;

const hasView = (kind: ConcreteSchema | undefined, {identifier, direction}: Identity): boolean =>
  kind?.relationships.some(each => each.identifier === identifier && each.direction === direction) === true;

const inverseOf = ({identifier, direction}: Identity): Identity => ({
  identifier,
  direction: opposite(direction),
});

/**
 * Edges that nobody can see any more are ended, so that a relationship added again starts empty. An edge stays
 * while the other end still shows it.
 */
export async function surveyRemovedRelationship(
  survey: Survey,
  pair: KindPair,
  {relationship}: Change<'relationship-removed'>,
): Promise<void> {
  await surveyEdges(survey, pair, relationship, undefined);
}

/** Edges follow their relationship to another identifier; where the old one is still shown, they stay there too. */
export async function surveyIdentifiers(survey: Survey): Promise<void> {
  for (const after of concreteKinds(survey.look.after)) {
    const pair = survey.look.pair(after.kind);
    if (pair === undefined) continue;
    for (const relationship of after.relationships) {
      const now = relationshipNow(pair, relationship);
      if (now === undefined || now.identifier === relationship.identifier) continue;
      await surveyEdges(survey, pair, now, relationship.name);
    }
  }
}

async function surveyEdges(
  survey: Survey,
  pair: KindPair,
  now: RelationshipSchema,
  nameThen: string | undefined,
): Promise<void> {
  const {look} = survey;
  const isShared = now.branch === 'agnostic' && !survey.onDefaultBranch;
  const isKept = isShared || hasView(pair.after, now);
  const inverse = inverseOf(now);
  const isShownBy = (kind: string) => hasView(look.successor(kind), inverse);
  if (nameThen === undefined && (isKept || implementations(look.before, now.peer).every(isShownBy))) return;
  const where: Condition = {is: 'related', relationship: now.name};
  const include = [{relationship: now.name}];
  for await (const {node, included} of look.objects(pair.before.kind, {where, include})) {
    for (const {node: peer, edge} of included[0]?.found ?? []) {
      if (look.successor(peer.kind) === undefined || edge === undefined) continue;
      if (!isKept && !isShownBy(peer.kind))
        survey.unlink({node: node.id, relationship: now.name, peer: peer.id});
      if (nameThen !== undefined)
        survey.link({node: node.id, relationship: nameThen, peer: peer.id}, edge.properties);
    }
  }
}

/** A relationship that is added may find edges already there: those that the other end has shown all along. */
export async function surveyAddedRelationship(
  survey: Survey,
  pair: KindPair,
  {relationship, needsPeer, constraint: name}: Change<'relationship-added'>,
): Promise<void> {
  const {look} = survey;
  const {before, after} = pair;
  if (!needsPeer && relationship.max_count === 0) return;
  if (!(await look.isInhabited(before.kind))) return;
  const constraint = {name, path: `schema/${after.kind}/${relationship.name}`};
  const counts = await countsSeenFromOtherEnd(look, before, relationship);
  if (counts === undefined) {
    if (needsPeer) await survey.refuseWhere(before.kind, undefined, constraint);
    return;
  }
  survey.visit(pair, ({node}) => {
    if (!isAllowed(relationship, counts.get(node.id) ?? 0)) survey.refuse(constraint, node);
  });
}

/** How many peers each object will have; undefined when no kind shows such edges now. */
async function countsSeenFromOtherEnd(
  look: Look,
  kind: ConcreteSchema,
  relationship: RelationshipSchema,
): Promise<ReadonlyMap<NodeId, number> | undefined> {
  const inverse = inverseOf(relationship);
  let counts: Map<NodeId, number> | undefined;
  for (const other of concreteKinds(look.before)) {
    const view = other.relationships.find(
      each => each.identifier === inverse.identifier && each.direction === inverse.direction,
    );
    if (view === undefined || look.successor(other.kind) === undefined) continue;
    counts ??= new Map();
    const ofKind: Condition = {is: 'kind', in: [kind.kind]};
    const where: Condition = {is: 'related', relationship: view.name, where: ofKind};
    const include = [{relationship: view.name, where: ofKind}];
    for await (const {included} of look.objects(other.kind, {where, include})) {
      for (const {node} of included[0]?.found ?? []) counts.set(node.id, (counts.get(node.id) ?? 0) + 1);
    }
  }
  return counts;
}
