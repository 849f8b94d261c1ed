import type {AttributeChange, EdgeChange, NodeChange} from '../../domain/diff/change.ts';
import type {AttributeState} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {sameSlot, sameState} from './document.ts';
import {readProperties} from './edge-properties.ts';
import type {KindLayout} from './layout.ts';
import {inverseCode} from './layout.ts';
import type {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import {Parameters, read} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import type {Touched} from './touched.ts';
import {edgeArms} from './visibility.ts';

/**
 * How the touched objects differ between two states, by their numbers. Only branch-aware things count: agnostic
 * data is the same on every branch, and local data is nobody else's business. What is equal in both is no change.
 */
export function* changesBetween(
  before: Reader,
  after: Reader,
  touched: Touched,
): Work<ReadonlyMap<number, NodeChange>> {
  const edges = yield* edgeChanges(before, after, touched, 'branch');
  const serials = new Set(touched.nodes.keys());
  for (const [[source, , target]] of touched.edges.values()) serials.add(source).add(target);
  const list = [...serials];
  const old = yield* nodesOf(before, list);
  const now = yield* nodesOf(after, list);
  const ids = yield* idsOf(before, edges);
  // An agnostic object that is gone is gone from both states, and so are the edges to it.
  const isGone = (serial: number) => !now.has(serial) && old.get(serial)?.layout.shape.scope === 'agnostic';
  const changes = new Map<number, NodeChange>();
  for (const serial of list) {
    const b = now.get(serial);
    const shown = b ?? old.get(serial);
    if (shown === undefined || shown.layout.shape.scope === 'local') continue;
    const isMixed = shown.layout.shape.scope === 'agnostic';
    if (isMixed && b === undefined) continue;
    // An agnostic object is there for every branch; only what this branch says of it may differ.
    const a = old.get(serial) ?? (isMixed ? b?.withoutPart() : undefined);
    const attributes = attributeChanges(a, b);
    const ends = (edges.get(serial) ?? []).filter(edge => !isGone(edge.target));
    const own = namedEdges(ends, shown.layout, ids);
    const action =
      isMixed || (a !== undefined && b !== undefined) ? 'updated' : b === undefined ? 'removed' : 'added';
    if (action === 'updated' && attributes.length === 0 && own.length === 0) continue;
    const changedAt = ends.reduce(
      (last, edge) => Math.max(last, edge.at),
      touched.nodes.get(serial) ?? 0,
    ) as Instant;
    changes.set(serial, {id: shown.id, kind: shown.kind, action, attributes, edges: own, changedAt});
  }
  return changes;
}

export interface RawEdgeChange {
  readonly code: number;
  readonly target: number;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  readonly at: Instant;
}

export function* nodesOf(reader: Reader, serials: readonly number[]): Work<Map<number, StoredNode>> {
  const nodes = yield* reader.load(yield* reader.versions(serials));
  return new Map(nodes.map(node => [node.serial, node]));
}

function attributeChanges(
  before: StoredNode | undefined,
  after: StoredNode | undefined,
): readonly AttributeChange[] {
  if (before !== undefined && after !== undefined && before.layout === after.layout) {
    return changesWithin(before, after);
  }
  const changes: AttributeChange[] = [];
  const oldNames = new Map(namesById(before?.layout));
  for (const [id, name] of namesById(after?.layout)) {
    const oldName = oldNames.get(id);
    oldNames.delete(id);
    const a = oldName === undefined ? undefined : before?.attribute(oldName);
    const b = after?.attribute(name);
    if (!isSame(a, b)) changes.push({name, before: a, after: b});
  }
  for (const name of oldNames.values()) {
    const a = before?.attribute(name);
    if (a !== undefined) changes.push({name, before: a, after: undefined});
  }
  return changes;
}

/** Between two versions under one schema: states are made only of slots that differ. */
function changesWithin(before: StoredNode, after: StoredNode): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  if (before.version === after.version) return changes;
  for (const name of namesById(after.layout).values()) {
    const {slot, isPart} = after.layout.slots.get(name)!;
    if (!isPart && sameSlot(before.document, after.document, slot)) continue;
    const [a, b] = [before.attribute(name), after.attribute(name)];
    if (!isSame(a, b)) changes.push({name, before: a, after: b});
  }
  return changes;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const namesOfLayouts = new WeakMap<KindLayout, ReadonlyMap<string, string>>();

function namesById(layout: KindLayout | undefined): ReadonlyMap<string, string> {
  if (layout === undefined) return NO_NAMES;
  const known = namesOfLayouts.get(layout);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const slot of layout.slots.values()) {
    if (slot.shape.scope === 'aware') names.set(slot.shape.id, slot.shape.name);
  }
  namesOfLayouts.set(layout, names);
  return names;
}

export const isSame = (a: AttributeState | undefined, b: AttributeState | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameState(a, b);

/** `among` says where the edges may live: on the branch, or on that which all share too. */
export function* edgeChanges(
  before: Reader,
  after: Reader,
  touched: Touched,
  among: 'branch' | 'any',
): Work<Map<number, RawEdgeChange[]>> {
  const triples = Array.from(touched.edges.values(), ([edge]) => edge);
  const old = yield* visibleProperties(before, triples, among);
  const now = yield* visibleProperties(after, triples, among);
  const changes = new Map<number, RawEdgeChange[]>();
  for (const [name, [[source, code, target], at]] of touched.edges) {
    const a = old.get(name);
    const b = now.get(name);
    if (a === b) continue;
    const add = (node: number, change: RawEdgeChange) => {
      const list = changes.get(node);
      if (list === undefined) changes.set(node, [change]);
      else list.push(change);
    };
    add(source, {code, target, before: a, after: b, at});
    const inverse = inverseCode(code);
    if (source !== target || inverse !== code)
      add(target, {code: inverse, target: source, before: a, after: b, at});
  }
  return changes;
}

function* visibleProperties(
  reader: Reader,
  triples: readonly (readonly [number, number, number])[],
  among: 'branch' | 'any',
): Work<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  if (triples.length === 0) return found;
  const parameters = new Parameters();
  const list = reader.dialect.triples(parameters.bind(JSON.stringify(triples)));
  const arms = edgeArms(reader.lineage[among], parameters).map(
    arm => `SELECT e.src, e.rel, e.dst, e.props FROM ${list} p CROSS JOIN ${arm.table} e
      WHERE e.src = p.a AND e.rel = p.b AND e.dst = p.c AND ${arm.where}`,
  );
  for (const row of yield read(arms.join(' UNION ALL '), parameters.values)) {
    found.set(`${row[0]},${row[1]},${row[2]}`, row[3] as string | null);
  }
  return found;
}

export function* idsOf(
  reader: Reader,
  edges: ReadonlyMap<number, readonly RawEdgeChange[]>,
): Work<Map<number, NodeId>> {
  const ids = new Map<number, NodeId>();
  if (edges.size === 0) return ids;
  const sql = `SELECT n.id, n.uuid FROM ${reader.dialect.integers('?1')} p CROSS JOIN node n WHERE n.id = p.value`;
  for (const [serial, id] of yield read(sql, [JSON.stringify([...edges.keys()])]))
    ids.set(serial as number, id as NodeId);
  return ids;
}

/** The edge changes by the names that the relationships have on this kind; an end without a name shows none. */
function namedEdges(
  edges: readonly RawEdgeChange[],
  layout: KindLayout,
  ids: ReadonlyMap<number, NodeId>,
): readonly EdgeChange[] {
  const named: EdgeChange[] = [];
  for (const edge of edges) {
    for (const relationship of layout.relationships.values()) {
      if (relationship.code !== edge.code || relationship.shape.scope !== 'aware') continue;
      named.push({
        relationship: relationship.shape.name,
        peer: ids.get(edge.target)!,
        before: edge.before === undefined ? undefined : readProperties(edge.before),
        after: edge.after === undefined ? undefined : readProperties(edge.after),
      });
    }
  }
  return named;
}
