import type {EdgeChange, NodeChange} from '../../domain/diff/change.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {attributeChanges} from './attribute-changes.ts';
import {type ComparedState, comparedState, edgeChanges, type RawEdgeChange} from './edge-changes.ts';
import {readProperties} from './edge-properties.ts';
import type {KindLayout} from './layout.ts';
import type {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import type {Touched} from './touched.ts';

/**
 * How the touched objects differ between two states, by their numbers. Only branch-aware things count: agnostic
 * data is the same on every branch, and local data is nobody else's business. What is equal in both is no change.
 */
export function* changesBetween(
  before: Reader,
  after: Reader,
  touched: Touched,
): Work<ReadonlyMap<number, NodeChange>> {
  const found = new Set(touched.nodes.keys());
  for (const [[source, , target]] of touched.edges.values()) found.add(source).add(target);
  // In the order of the tables, what is near is read, and later written, together.
  const serials = [...found].sort((a, b) => a - b);
  const old = yield* comparedState(before, serials);
  const now = yield* comparedState(after, serials);
  const comparing = new Comparing(old, now, touched, yield* edgeChanges(old, now, touched, 'branch'));
  const changes = new Map<number, NodeChange>();
  for (const serial of serials) {
    const change = comparing.change(serial);
    if (change !== undefined) changes.set(serial, change);
  }
  return changes;
}

const NO_EDGES: readonly RawEdgeChange[] = [];

/** Two states side by side, with everything of them that must be looked up. */
class Comparing {
  readonly #old: ComparedState['nodes'];
  readonly #now: ComparedState['nodes'];
  readonly #touched: Touched;
  readonly #edges: ReadonlyMap<number, readonly RawEdgeChange[]>;

  constructor(
    old: ComparedState,
    now: ComparedState,
    touched: Touched,
    edges: ReadonlyMap<number, readonly RawEdgeChange[]>,
  ) {
    this.#old = old.nodes;
    this.#now = now.nodes;
    this.#touched = touched;
    this.#edges = edges;
  }

  change(serial: number): NodeChange | undefined {
    const [old, now] = [this.#old.get(serial), this.#now.get(serial)];
    const shown = now ?? old;
    if (shown === undefined || shown.layout.shape.scope === 'local') return undefined;
    const isMixed = shown.layout.shape.scope === 'agnostic';
    if (isMixed && now === undefined) return undefined;
    // An agnostic object is there for every branch; only what this branch says of it may differ.
    const before = old ?? (isMixed ? now?.withoutPart() : undefined);
    const attributes = attributeChanges(before, now);
    const ends = this.#edges.get(serial)?.filter(edge => !this.#isGone(edge.target)) ?? NO_EDGES;
    const edges = ends.length === 0 ? [] : this.#named(ends, shown.layout);
    const action = before === undefined ? 'added' : now === undefined ? 'removed' : 'updated';
    if (action === 'updated' && attributes.length === 0 && edges.length === 0) return undefined;
    let changedAt = this.#touched.nodes.get(serial) ?? 0;
    for (const {at} of ends) changedAt = Math.max(changedAt, at);
    return {id: shown.id, kind: shown.kind, action, attributes, edges, changedAt: changedAt as Instant};
  }

  /** An agnostic object that is gone is gone from both states, and so are the edges to it. */
  #isGone(serial: number): boolean {
    return !this.#now.has(serial) && this.#old.get(serial)?.layout.shape.scope === 'agnostic';
  }

  /** The edge changes by the names that the relationships have on this kind; an end without a name shows none. */
  #named(edges: readonly RawEdgeChange[], layout: KindLayout): readonly EdgeChange[] {
    const named: EdgeChange[] = [];
    for (const {code, target, before, after} of edges) {
      for (const relationship of layout.relationships.values()) {
        if (relationship.code !== code || relationship.shape.scope !== 'aware') continue;
        named.push({
          relationship: relationship.shape.name,
          peer: this.#peer(target).id,
          before: before === undefined ? undefined : readProperties(before),
          after: after === undefined ? undefined : readProperties(after),
        });
      }
    }
    return named;
  }

  #peer(serial: number): StoredNode {
    return (this.#now.get(serial) ?? this.#old.get(serial))!;
  }
}
