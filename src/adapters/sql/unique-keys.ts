import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {compositeKey} from '../../domain/attribute/sort-key.ts';
import {constraintViolation} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Scope, UniquePart} from '../../domain/graph/shape.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {DraftState} from './draft-state.ts';
import type {KindLayout, UniqueLayout} from './layout.ts';
import {valueKey} from './layout.ts';
import {levelsOf} from './lineage.ts';
import type {Work} from './statement.ts';
import {blind, changeEach, Parameters, read} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import {hiddenVersion} from './visibility.ts';

/** The keys that a node holds: constraint to key. A node with a null part holds none for that constraint. */
export type UniqueKeys = ReadonlyMap<number, string>;

const CLAIM = `INSERT INTO uniq (branch, con, key, node, f) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (branch, con, key) DO NOTHING`;
const HOLDER = 'SELECT node FROM uniq WHERE branch = ?1 AND con = ?2 AND key = ?3';
const KEEP = `INSERT INTO ixh (branch, attr, val, sk, node, t, f) VALUES (?1, ?2, ?3, '', ?4, ?5, ?6)`;
const FREE = 'DELETE FROM uniq WHERE branch = ?1 AND con = ?2 AND key = ?3 AND node = ?4 RETURNING f';
const MOVE = `WITH gone AS (${FREE}) INSERT INTO ixh (branch, attr, val, sk, node, t, f)
  SELECT ?1, ?2, ?3, '', ?4, ?5, f FROM gone WHERE f < ?5`;

/** The peers of nodes through relationships, by code and node. */
export type KnownPeers = ReadonlyMap<string, readonly number[]>;

/** The keys of a node as the draft sees it now. */
export function* uniqueKeys(state: DraftState, node: StoredNode): Work<UniqueKeys> {
  return keysAmong(node, yield* keyPeers(state, [node]));
}

/** The keys of a node whose peers are known. */
export function keysAmong(node: StoredNode, peers: KnownPeers): UniqueKeys {
  const keys = new Map<number, string>();
  for (const {shape, serial} of node.layout.unique) {
    const key = keyAmong(node, shape.parts, peers);
    if (key !== undefined) keys.set(serial, key);
  }
  return keys;
}

/** The peers that the keys of these nodes are made of, at the cost of one statement for each relationship. */
export function* keyPeers(
  state: DraftState,
  nodes: Iterable<Pick<StoredNode, 'layout' | 'serial'>>,
): Work<KnownPeers> {
  const groups = new Map<number, {readonly scope: Scope; readonly sources: Set<number>}>();
  for (const {layout, serial} of nodes) {
    for (const {shape} of layout.unique) {
      for (const part of shape.parts) {
        const relationship = part.is === 'relationship' ? layout.relationships.get(part.name) : undefined;
        if (relationship === undefined) continue;
        const {code} = relationship;
        const group = groups.get(code) ?? {scope: relationship.shape.scope, sources: new Set<number>()};
        group.sources.add(serial);
        groups.set(code, group);
      }
    }
  }
  const peers = new Map<string, number[]>();
  for (const [code, {scope, sources}] of groups) {
    for (const source of sources) peers.set(`${code},${source}`, []);
    const edges = yield* state.reader.edges([...sources], code, levelsOf(state.lineage, scope));
    for (const {source, target} of edges) peers.get(`${code},${source}`)!.push(target);
  }
  return peers;
}

/** True when a value among these is part of a unique key of the kind. */
export const usesAttributes = (layout: KindLayout, names: readonly string[]): boolean =>
  layout.unique.some(({shape}) =>
    shape.parts.some(part => part.is === 'attribute' && names.includes(part.name)),
  );

export const usesRelationship = (layout: KindLayout, name: string): boolean =>
  layout.unique.some(({shape}) => shape.parts.some(part => part.is === 'relationship' && part.name === name));

function keyAmong(node: StoredNode, parts: readonly UniquePart[], peers: KnownPeers): string | undefined {
  const keys: string[] = [];
  for (const part of parts) {
    if (part.is === 'attribute') {
      const value = node.value(part.name);
      const slot = node.layout.slots.get(part.name);
      if (value === null || slot === undefined) return undefined;
      keys.push(valueKey(slot.shape, part.property, value));
    } else {
      const relationship = node.layout.relationships.get(part.name);
      const peer = peers.get(`${relationship?.code},${node.serial}`)?.[0];
      if (peer === undefined) return undefined;
      keys.push(String(peer));
    }
  }
  return compositeKey(keys);
}

function* peersOf(state: DraftState, node: StoredNode, name: string): Work<readonly number[]> {
  const relationship = node.layout.relationships.get(name);
  if (relationship === undefined) return [];
  const levels = levelsOf(state.lineage, relationship.shape.scope);
  const edges = yield* state.reader.edges([node.serial], relationship.code, levels);
  return edges.map(edge => edge.target);
}

export function* freeKeys(
  state: DraftState,
  serial: number,
  branch: number,
  keys: Iterable<readonly [number, string]>,
): Work<void> {
  for (const [constraint, key] of keys) {
    const place = [branch, constraint, key, serial] as const;
    if (state.dialect.movesRows) {
      yield blind(MOVE, [...place, state.at]);
      continue;
    }
    for (const [since] of yield read(FREE, place)) {
      if ((since as number) < state.at) yield blind(KEEP, [...place, state.at, since!]);
    }
  }
}

/** A key that a node wants to hold. */
export interface Claim {
  readonly node: StoredNode;
  readonly unique: UniqueLayout;
  readonly key: string;
}

/** Neighbours in the table come together; of two who want the same, the older object comes first. */
export function byKey(a: Claim, b: Claim): number {
  if (a.unique !== b.unique) return a.unique.serial - b.unique.serial;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.node.serial - b.node.serial;
}

/** Takes the keys that are free on this branch; false when some were not, which `checkClaim` then finds. */
export function* takeKeys(state: DraftState, claims: readonly Claim[]): Work<boolean> {
  if (claims.length === 0) return true;
  const rows = claims.map(({node, unique, key}) => [
    state.home(node.layout.shape.scope),
    unique.serial,
    key,
    node.serial,
    state.at,
  ]);
  return (yield changeEach(CLAIM, rows))[0]![0] === claims.length;
}

/** Fails with the object that holds the key of a claim, if another than its node does. */
export function* checkClaim(state: DraftState, {node, unique, key}: Claim, isTaken: boolean): Work<void> {
  const branch = state.home(node.layout.shape.scope);
  const below = levelsOf(state.lineage, node.layout.shape.scope).slice(1);
  if (!isTaken) {
    const holder = (yield read(HOLDER, [branch, unique.serial, key]))[0]?.[0] as number;
    if (holder !== node.serial) throw yield* violation(state, node, unique, holder);
  }
  if (below.length === 0) return;
  // The kinds that share the constraint here are those it binds, whatever it bound below.
  const bound = [...state.layout.kinds.values()].filter(kind =>
    kind.unique.some(other => other.serial === unique.serial),
  );
  const holder = bound.every(kind => state.hasUnique(kind, unique.serial))
    ? yield* holderBelow(state, node, unique, key, bound)
    : yield* holderUnindexed(state, node, unique);
  if (holder !== undefined) throw yield* violation(state, node, unique, holder);
}

/** Who holds the key in what the branch sees of its origin, unless the branch itself has had a word on that node. */
function* holderBelow(
  state: DraftState,
  node: StoredNode,
  unique: UniqueLayout,
  key: string,
  bound: readonly KindLayout[],
): Work<number | undefined> {
  const levels = levelsOf(state.lineage, node.layout.shape.scope);
  const parameters = new Parameters();
  const con = parameters.bind(unique.serial);
  const text = parameters.bind(key);
  const self = parameters.bind(node.serial);
  const arms: string[] = [];
  for (const [depth, level] of levels.entries()) {
    if (depth === 0) continue;
    const until = parameters.bind(level.until);
    const place = `x.branch = ${parameters.bind(level.branch)} AND x.node <> ${self} AND x.f <= ${until}`;
    const hidden = hiddenVersion(levels.slice(0, depth), 'x.node', parameters);
    arms.push(`SELECT x.node FROM uniq x WHERE ${place} AND x.con = ${con} AND x.key = ${text}${hidden}`);
    if (!level.isCurrent) {
      arms.push(
        `SELECT x.node FROM ixh x WHERE ${place} AND x.attr = ${con} AND x.val = ${text} AND x.t > ${until}${hidden}`,
      );
    }
  }
  const holders = (yield read(arms.join(' UNION ALL '), parameters.values)).map(row => row[0] as number);
  const visible = yield* state.reader.versions(holders);
  return visible.find(({layout}) => bound.includes(layout))?.serial;
}

/** A constraint that this branch alone has leaves no keys on its origin: there the objects themselves are asked. */
function* holderUnindexed(
  state: DraftState,
  node: StoredNode,
  unique: UniqueLayout,
): Work<number | undefined> {
  const conditions: Condition[] = [];
  for (const part of unique.shape.parts) {
    if (part.is === 'attribute') {
      const values = [node.value(part.name)];
      conditions.push({
        is: 'attribute',
        attribute: part.name,
        property: part.property,
        test: {op: 'in', values},
      });
    } else {
      const peers = yield* state.reader.load(
        yield* state.reader.versions(yield* peersOf(state, node, part.name)),
      );
      const ids = peers.map(peer => peer.id);
      conditions.push({is: 'related', relationship: part.name, where: {is: 'id', in: ids}});
    }
  }
  for (const kind of state.layout.kinds.values()) {
    if (!kind.unique.some(other => other.serial === unique.serial)) continue;
    const selection = yield* state.queries.select(kind, conditions);
    if (selection === undefined) continue;
    const found = yield* state.queries.placed(selection, {after: null, limit: 2, offset: 0});
    const other = found.find(item => item.serial !== node.serial);
    if (other !== undefined) return other.serial;
  }
  return undefined;
}

function* violation(state: DraftState, node: StoredNode, unique: UniqueLayout, holder: number): Work<Error> {
  const [other] = yield* state.reader.load(yield* state.reader.versions([holder]));
  const existing = must(other, `the holder of a unique key, node ${holder}`);
  return uniquenessViolated(node.kind, node.id, existing.id, unique.shape.parts, part => node.value(part));
}

export function uniquenessViolated(
  kind: string,
  id: NodeId,
  existing: NodeId,
  parts: readonly UniquePart[],
  valueAt: (attribute: string) => Json,
): Error {
  const fields = parts.map(part => part.name);
  const facts = {kind, id, existing, fields};
  const [only] = parts;
  if (parts.length === 1 && only?.is === 'attribute') {
    const value = valueAt(only.name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return constraintViolation(
      `An object already exist with this value: ${only.name}: ${text} at ${only.name} (${kind} ${existing})`,
      facts,
    );
  }
  const places = fields.map(field => `at ${field}`).join(', ');
  return constraintViolation(
    `Violates uniqueness constraint '${fields.join('-')}' ${places} (${kind} ${existing})`,
    facts,
  );
}
