import {FOREVER} from '../../domain/time/instant.ts';
import type {DraftState} from './draft-state.ts';
import {endHalves, halvesOf} from './edge-writer.ts';
import type {GraphLayout, KindLayout} from './layout.ts';
import {settleMixed} from './settle-mixed.ts';
import {closeVersions, endIndex, endKeys} from './settle-whole.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';
import type {TouchedSince} from './touched.ts';

const NODES_PER_STEP = 200;
const OWN_KINDS = 'SELECT kind, f FROM kind_ver WHERE branch = ?1 AND t = ?2';
const CLOSE_KIND = 'UPDATE kind_ver SET t = ?4 WHERE branch = ?1 AND kind = ?2 AND t = ?3';

/**
 * Ends the branch's own word on everything that is merged with its origin: versions, tombstones, edges and schema
 * records. Local data stays. `own` is a draft state of the branch, `origin` the draft that holds the result.
 */
export class Settling {
  readonly #origin: DraftState;
  readonly #own: DraftState;
  readonly #touched: TouchedSince;
  readonly #mixed: ReadonlySet<KindLayout>;
  /** How many rows of each kind that ends as a whole were found. */
  readonly #rowsOf = new Map<KindLayout, number>();
  /** Nodes of kinds of which something stays. What does is told by their edges, which end after them. */
  readonly #apart = new Set<number>();

  constructor(origin: DraftState, own: DraftState, touched: TouchedSince) {
    this.#origin = origin;
    this.#own = own;
    this.#touched = touched;
    this.#mixed = mixedKinds(own.layout);
  }

  get branch(): number {
    return this.#own.branch;
  }

  /** Each is done before the next is asked for. */
  *steps(): Generator<Work<void>> {
    const own = this.#own;
    const {nodes} = this.#touched;
    for (let from = 0; from < nodes.length; from += NODES_PER_STEP)
      yield this.#endVersions(nodes.slice(from, from + NODES_PER_STEP));
    const constraints = new Map<number, number>();
    for (const [{membership, indexed, unique}, rows] of this.#rowsOf) {
      yield* endIndex(own, membership, rows);
      for (const {index} of indexed) yield* endIndex(own, index!, rows);
      for (const {serial} of unique) constraints.set(serial, (constraints.get(serial) ?? 0) + rows);
    }
    for (const [constraint, rows] of constraints) yield* endKeys(own, constraint, rows);
    if (this.#apart.size === 0) yield* this.#edgeSteps();
  }

  /** What the steps have left; true when the branch had a word on the schema. */
  *rest(): Work<boolean> {
    const own = this.#own;
    const apart = [...this.#apart];
    for (let from = 0; from < apart.length; from += NODES_PER_STEP)
      yield* settleMixed(this.#origin, own, apart.slice(from, from + NODES_PER_STEP));
    if (apart.length > 0) for (const step of this.#edgeSteps()) yield* step;
    const kinds = yield read(OWN_KINDS, [own.branch, FOREVER]);
    for (const [kind] of kinds) yield blind(CLOSE_KIND, [own.branch, kind!, FOREVER, own.at]);
    return kinds.length > 0;
  }

  *#edgeSteps(): Generator<Work<void>> {
    const own = this.#own;
    const localCodes = codesOfLocal(own);
    const halves = this.#touched.edges.filter(([, code]) => !localCodes.has(code)).flatMap(halvesOf);
    for (let from = 0; from < halves.length; from += NODES_PER_STEP)
      yield endHalves(own, own.branch, halves.slice(from, from + NODES_PER_STEP));
  }

  /** Whole kinds end by range, since nothing of them stays. */
  *#endVersions(serials: readonly number[]): Work<void> {
    const own = this.#own;
    const whole: number[] = [];
    for (const [serial, kind] of yield* openRows(own, serials)) {
      const layout = own.layout.bySerial.get(kind);
      if (layout !== undefined && this.#mixed.has(layout)) {
        this.#apart.add(serial);
        continue;
      }
      whole.push(serial);
      if (layout !== undefined) this.#rowsOf.set(layout, (this.#rowsOf.get(layout) ?? 0) + 1);
    }
    if (whole.length > 0) yield closeVersions(own, whole);
  }
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
export function mixedKinds(layout: GraphLayout): ReadonlySet<KindLayout> {
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

function codesOfLocal(own: DraftState): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const kind of own.layout.kinds.values()) {
    for (const relationship of kind.relationships.values()) {
      if (relationship.shape.scope === 'local') codes.add(relationship.code).add(relationship.inverse);
    }
  }
  return codes;
}
