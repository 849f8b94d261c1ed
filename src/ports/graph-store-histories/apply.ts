import {must} from '../../base/assert.ts';
import type {AttributeWrite, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {type KindShape, opposite, type RelationshipShape} from '../../domain/graph/shape.ts';
import type {Draft} from '../graph-store.ts';
import {reshape} from './reshape.ts';
import type {CommitPlan, Operation} from './steps.ts';
import {chosenFrom, propertiesOf, writeOf} from './values.ts';

/** What a commit may choose from, fixed before it starts: the same for the store and for the model. */
export interface Choices {
  /** Objects that were on the branch when the step began. */
  readonly present: readonly NodeId[];
  /** Every object that ever lived on a branch. */
  readonly known: readonly KnownObject[];
  /** One for each operation. */
  readonly fresh: readonly NodeId[];
}

export interface KnownObject {
  readonly id: NodeId;
  readonly kindId: string;
}

const HIERARCHY = 'parent__child';

export class GivenUp extends Error {}

/** Does what the plan says, deciding by what the draft shows alone: so its outcome depends on the state it meets. */
export async function applyPlan(draft: Draft, plan: CommitPlan, choices: Choices): Promise<void> {
  for (const [index, operation] of plan.operations.entries()) {
    await apply(draft, operation, choices, must(choices.fresh[index], 'a fresh id'));
  }
  if (plan.isGivenUp) throw new GivenUp();
}

async function apply(draft: Draft, operation: Operation, choices: Choices, fresh: NodeId): Promise<void> {
  switch (operation.op) {
    case 'create':
      return create(draft, operation, choices, fresh);
    case 'reshape':
      return reshape(draft, operation.kind, operation.edit, operation.detail, fresh);
    case 'revive':
      return revive(draft, operation, choices);
    default: {
      const node = await present(draft, choices, operation.node);
      if (node === undefined) return;
      const shape = must(draft.kind(node.kind), node.kind);
      if (operation.op === 'delete') return draft.delete(node.id);
      if (operation.op === 'update') {
        const writes = operation.writes.flatMap(
          ({attribute, value, metadata}): [string, AttributeWrite][] => {
            const target = chosenFrom(shape.attributes, attribute);
            return target === undefined ? [] : [[target.name, writeOf(target.kind, value, metadata)]];
          },
        );
        await draft.update(node.id, Object.fromEntries(writes));
        return;
      }
      const relationship = chosenFrom(shape.relationships, operation.relationship);
      if (relationship === undefined) return;
      if (operation.op === 'link') {
        const peer = await peerFor(draft, choices, relationship, operation.peer);
        if (peer !== undefined) await join(draft, node, relationship, peer, operation.properties);
        return;
      }
      const neighbours = await draft.neighbours(node.id, relationship.name);
      const peers = neighbours.map(neighbour => neighbour.id).sort();
      const peer = chosenFrom(peers, operation.peer);
      if (peer !== undefined) await draft.unlink({node: node.id, relationship: relationship.name, peer});
    }
  }
}

async function create(
  draft: Draft,
  {kind, values, peers}: Operation & {op: 'create'},
  choices: Choices,
  id: NodeId,
): Promise<void> {
  const shape = must(chosenFrom(draft.kinds(), kind), 'a kind').shape;
  const writes = values.flatMap((value, index): [string, AttributeWrite][] => {
    const attribute = index === 0 ? shape.attributes[0] : chosenFrom(shape.attributes, value);
    return attribute === undefined
      ? []
      : [[attribute.name, writeOf(attribute.kind, value >> index, value >> 4)]];
  });
  const node = await draft.create({id, kind: shape.name, attributes: Object.fromEntries(writes)});
  for (const pick of peers) {
    const relationship = chosenFrom(shape.relationships, pick);
    const peer = relationship && (await peerFor(draft, choices, relationship, pick >> 2));
    if (peer !== undefined) await join(draft, node, relationship!, peer, 0);
  }
}

/** Brings back an object of the past or of another branch. */
async function revive(draft: Draft, {node}: Operation & {op: 'revive'}, {known}: Choices): Promise<void> {
  const object = chosenFrom(known, node);
  const shape = draft.kinds().find(record => record.shape.id === object?.kindId)?.shape;
  if (object === undefined || shape === undefined || (await draft.node(object.id)) !== undefined) return;
  const [first] = shape.attributes;
  const attributes = first === undefined ? {} : {[first.name]: writeOf(first.kind, node >> 3, 0)};
  await draft.create({id: object.id, kind: shape.name, attributes, isKnown: true});
}

async function present(draft: Draft, {present: ids}: Choices, pick: number): Promise<NodeRecord | undefined> {
  const id = chosenFrom(ids, pick);
  return id === undefined ? undefined : draft.node(id);
}

async function peerFor(
  draft: Draft,
  {present: ids}: Choices,
  {peer: wanted}: RelationshipShape,
  pick: number,
): Promise<NodeRecord | undefined> {
  const nodes = await draft.nodes(ids);
  const fitting = nodes.filter(node => node !== undefined && answersTo(draft.kind(node.kind), wanted));
  return chosenFrom(fitting, pick);
}

const answersTo = (shape: KindShape | undefined, wanted: string): boolean =>
  shape !== undefined && (shape.name === wanted || shape.generics.includes(wanted));

/** Links as the application would: an end that holds one peer lets the former go. */
async function join(
  draft: Draft,
  node: NodeRecord,
  relationship: RelationshipShape,
  peer: NodeRecord,
  properties: number,
): Promise<void> {
  if (relationship.identifier === HIERARCHY && (await isAbove(draft, node, relationship, peer.id))) return;
  await letGo(draft, node, relationship, peer.id);
  const inverse = draft
    .kind(peer.kind)
    ?.relationships.find(
      item =>
        item.identifier === relationship.identifier && item.direction === opposite(relationship.direction),
    );
  if (inverse !== undefined) await letGo(draft, peer, inverse, node.id);
  await draft.link({node: node.id, relationship: relationship.name, peer: peer.id}, propertiesOf(properties));
}

/** True when the peer is the node, or already stands on the other side of it: the edge would close a circle. */
async function isAbove(
  draft: Draft,
  node: NodeRecord,
  relationship: RelationshipShape,
  peer: NodeId,
): Promise<boolean> {
  const back = relationship.direction === 'outbound' ? 'children' : 'parent';
  let level: readonly NodeId[] = [node.id];
  while (level.length > 0 && !level.includes(peer)) {
    const next = await Promise.all(level.map(id => draft.neighbours(id, back)));
    level = next.flat().map(neighbour => neighbour.id);
  }
  return level.length > 0;
}

async function letGo(
  draft: Draft,
  node: NodeRecord,
  relationship: RelationshipShape,
  kept: NodeId,
): Promise<void> {
  if (relationship.cardinality === 'many') return;
  for (const {id} of await draft.neighbours(node.id, relationship.name)) {
    if (id !== kept) await draft.unlink({node: node.id, relationship: relationship.name, peer: id});
  }
}
