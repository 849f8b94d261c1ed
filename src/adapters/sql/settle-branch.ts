import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {DraftState} from './draft-state.ts';
import {endHalves} from './edge-writer.ts';
import type {GraphLayout, KindLayout} from './layout.ts';
import {inverseCode} from './layout.ts';
import {settleMixed} from './settle-mixed.ts';
import {closeVersions, endIndex, endKeys} from './settle-whole.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';
import type {Edge} from './touched.ts';
import {touchedSince} from './touched.ts';

const NODES_PER_STEP = 200;
const OWN_KINDS = 'SELECT kind, f FROM kind_ver WHERE branch = ?1 AND t = ?2';
const CLOSE_KIND = 'UPDATE kind_ver SET t = ?4 WHERE branch = ?1 AND kind = ?2 AND t = ?3';

/**
 * Ends the branch's own word on everything that is merged with its origin: versions, tombstones, edges and schema
 * records. Local data stays. `own` is a draft state of the branch, `origin` the draft that holds the result.
 * True when schema records were among them.
 */
export function* settleBranch(origin: DraftState, own: DraftState, settledAt: Instant): Work<boolean> {
  const {nodes, edges} = yield* touchedSince(own.branch, settledAt);
  yield* settleNodes(origin, own, nodes);
  yield* settleEdges(own, edges);
  const kinds = yield read(OWN_KINDS, [own.branch, FOREVER]);
  for (const [kind] of kinds) yield blind(CLOSE_KIND, [own.branch, kind!, FOREVER, own.at]);
  return kinds.length > 0;
}

/** Whole kinds end by range, since nothing of them stays. */
function* settleNodes(origin: DraftState, own: DraftState, serials: readonly number[]): Work<void> {
  const mixed = mixedKinds(own.layout);
  const rowsOf = new Map<KindLayout, number>();
  for (let from = 0; from < serials.length; from += NODES_PER_STEP) {
    const some = serials.slice(from, from + NODES_PER_STEP);
    const [whole, apart]: [number[], number[]] = [[], []];
    for (const [serial, kind] of yield* openRows(own, some)) {
      const layout = own.layout.bySerial.get(kind);
      if (layout !== undefined && mixed.has(layout)) {
        apart.push(serial);
        continue;
      }
      whole.push(serial);
      if (layout !== undefined) rowsOf.set(layout, (rowsOf.get(layout) ?? 0) + 1);
    }
    if (whole.length > 0) yield closeVersions(own, whole);
    if (apart.length > 0) yield* settleMixed(origin, own, [...new Set(apart)]);
  }
  const constraints = new Map<number, number>();
  for (const [{membership, indexed, unique}, rows] of rowsOf) {
    yield* endIndex(own, membership, rows);
    for (const {index} of indexed) yield* endIndex(own, index!, rows);
    for (const {serial} of unique) constraints.set(serial, (constraints.get(serial) ?? 0) + rows);
  }
  for (const [constraint, rows] of constraints) yield* endKeys(own, constraint, rows);
}

function* openRows(
  own: DraftState,
  serials: readonly number[],
): Work<readonly (readonly [serial: number, kind: number])[]> {
  const rows = yield read(
    `SELECT v.node, v.kind FROM ${own.dialect.integers('?1')} p CROSS JOIN ver v
     WHERE v.node = p.value AND v.branch = ?2 AND v.t = ?3`,
    [JSON.stringify(serials), own.branch, FOREVER],
  );
  return rows as unknown as readonly (readonly [number, number])[];
}

/** The kinds of which something stays with the branch, and those that share a constraint with one. */
function mixedKinds(layout: GraphLayout): ReadonlySet<KindLayout> {
  const kinds = [...layout.kinds.values()];
  const mixed = new Set(
    kinds.filter(
      ({shape, isMixed}) =>
        isMixed || shape.scope === 'local' || shape.attributes.some(({scope}) => scope === 'local'),
    ),
  );
  for (let before = -1; before < mixed.size; ) {
    before = mixed.size;
    const shared = new Set([...mixed].flatMap(({unique}) => unique.map(({serial}) => serial)));
    for (const kind of kinds) if (kind.unique.some(({serial}) => shared.has(serial))) mixed.add(kind);
  }
  return mixed;
}

function* settleEdges(own: DraftState, edges: readonly Edge[]): Work<void> {
  const localCodes = codesOfLocal(own);
  const halves = edges.filter(([, code]) => !localCodes.has(code)).flatMap(halvesOf);
  for (let from = 0; from < halves.length; from += NODES_PER_STEP) {
    yield* endHalves(own, own.branch, halves.slice(from, from + NODES_PER_STEP));
  }
}

/** One, of an object's edge to itself that is the same from both ends. */
function halvesOf(edge: Edge): readonly Edge[] {
  const [source, code, target] = edge;
  const inverse = inverseCode(code);
  return source === target && inverse === code ? [edge] : [edge, [target, inverse, source]];
}

function codesOfLocal(own: DraftState): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const kind of own.layout.kinds.values()) {
    for (const relationship of kind.relationships.values()) {
      if (relationship.shape.scope === 'local') codes.add(relationship.code).add(relationship.inverse);
    }
  }
  return codes;
}
