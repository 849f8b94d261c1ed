import {canonicalJson, type Json} from '../../base/json.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape, UniquePart, UniqueShape} from '../../domain/graph/shape.ts';
import type {Choices, Conflict} from '../../domain/merge/conflict.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {uniqueConflict} from './unique-conflicts.ts';

/** An object of the branch whose unique key is new since the fork. */
interface Claimant {
  readonly node: NodeRecord;
  readonly key: string;
  readonly first: Json;
}

/**
 * The unique values that both sides claim, found by looking: for each constraint one question to the origin, about the
 * values that are new on the branch. A merge finds the same when it writes.
 */
export async function uniqueClashes(
  changes: readonly NodeChange[],
  here: Snapshot,
  origin: Snapshot,
  choices: Choices,
): Promise<readonly Conflict[]> {
  const clashes = new Map<string, Conflict>();
  const ours = new Set(changes.map(change => change.id));
  const moved = new Map(changes.map(change => [change.id, change]));
  for (const [unique, claimants] of await claimantsOf(changes, here)) {
    for (const [kind, other] of await holders(origin, unique, claimants)) {
      const change = moved.get(other.id);
      if (change !== undefined && (change.action === 'removed' || moves(change, unique))) continue;
      const key = await keyOf(origin, kind, unique, other);
      for (const {node} of claimants.filter(claimant => claimant.key === key)) {
        if (node.id === other.id) continue;
        const fields = unique.parts.map(part => part.name);
        const claim = {kind: node.kind, id: node.id, existing: other.id, fields};
        const conflict = uniqueConflict(claim, ours, origin.at, choices);
        clashes.set(conflict.id, conflict);
      }
    }
  }
  return [...clashes.values()];
}

const moves = (change: NodeChange, {parts}: UniqueShape): boolean =>
  parts.some(part =>
    part.is === 'attribute'
      ? change.attributes.some(({name}) => name === part.name)
      : change.edges.some(({relationship}) => relationship === part.name),
  );

async function claimantsOf(
  changes: readonly NodeChange[],
  here: Snapshot,
): Promise<ReadonlyMap<UniqueShape, readonly Claimant[]>> {
  const byId = new Map<string, UniqueShape>();
  const claimants = new Map<UniqueShape, Claimant[]>();
  const standing = changes.filter(change => change.action !== 'removed');
  const asked = standing.filter(change => here.kind(change.kind)?.unique.some(each => moves(change, each)));
  const nodes = await here.nodes(asked.map(change => change.id));
  for (const [place, change] of asked.entries()) {
    const node = nodes[place];
    const kind = here.kind(change.kind);
    if (node === undefined || kind === undefined) continue;
    for (const each of kind.unique) {
      const first = each.parts.find(part => part.is === 'attribute');
      const key =
        first !== undefined && moves(change, each) ? await keyOf(here, kind, each, node) : undefined;
      if (key === undefined || first === undefined) continue;
      const unique = byId.get(each.id) ?? each;
      byId.set(each.id, unique);
      const claimant = {node, key, first: partValue(kind, node, first)};
      const list = claimants.get(unique);
      if (list === undefined) claimants.set(unique, [claimant]);
      else list.push(claimant);
    }
  }
  return claimants;
}

/** Objects of the origin that share the first attribute of a claimed key, each with its kind. */
async function holders(
  origin: Snapshot,
  unique: UniqueShape,
  claimants: readonly Claimant[],
): Promise<readonly (readonly [KindShape, NodeRecord])[]> {
  const found: (readonly [KindShape, NodeRecord])[] = [];
  const values = [...new Set(claimants.map(claimant => claimant.first))];
  for (const {shape} of origin.kinds()) {
    const first = shape.unique
      .find(each => each.id === unique.id)
      ?.parts.find((part): part is Extract<UniquePart, {is: 'attribute'}> => part.is === 'attribute');
    if (first === undefined) continue;
    const where: Condition = {
      is: 'attribute',
      attribute: first.name,
      property: first.property,
      test: {op: 'in', values},
    };
    const page = await origin.query({kind: shape.name, where, page: {limit: HOLDERS_MAX, offset: 0}});
    for (const {node} of page.found) found.push([shape, node]);
  }
  return found;
}

const HOLDERS_MAX = 100_000;

/** Equal for objects that claim the same; `undefined` for one that claims nothing, since a part of it is unset. */
async function keyOf(
  snapshot: Snapshot,
  kind: KindShape,
  {parts}: UniqueShape,
  node: NodeRecord,
): Promise<string | undefined> {
  const values: Json[] = [];
  for (const part of parts) {
    const value =
      part.is === 'attribute'
        ? partValue(kind, node, part)
        : ((await peerOf(snapshot, node.id, part.name)) ?? null);
    if (value === null) return undefined;
    values.push(value);
  }
  return canonicalJson(values);
}

function partValue(kind: KindShape, node: NodeRecord, part: Extract<UniquePart, {is: 'attribute'}>): Json {
  const attribute = kind.attributes.find(each => each.name === part.name);
  return attribute === undefined ? null : pathValue(attribute.kind, part.property, node.value(part.name));
}

const peerOf = async (snapshot: Snapshot, id: NodeId, relationship: string): Promise<NodeId | undefined> =>
  (await snapshot.neighbours(id, relationship))[0]?.id;
