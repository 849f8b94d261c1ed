import {must} from '../../base/assert.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {DraftState} from './draft-state.ts';
import type {DraftWork} from './draft-work.ts';
import {endHalves, halvesOf} from './edge-writer.ts';
import type {GraphContext} from './graph-view.ts';
import {hasIndexIn, hasUniqueIn, indexKeepers, layoutOf} from './graph-view.ts';
import {loadLayout} from './kind-records.ts';
import {reindexKind} from './kind-writer.ts';
import type {Base} from './lineage.ts';
import {lineageOf} from './lineage.ts';
import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {type Edge, touchedSince} from './touched.ts';

const NODES_PER_STEP = 200;

export const baseStatement = (branch: number, base: Base, movesKinds: boolean): Statement =>
  blind(
    'INSERT INTO branch_base (branch, since, parent, fork, settles, kinds) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
    [branch, base.since, base.parent, base.fork, base.settles ? 1 : 0, movesKinds ? 1 : 0],
  );

/**
 * Puts the draft's branch onto its origin, in steps of which each is done before the next is asked for. What the branch
 * wrote stays on top; its indexes follow the schema that it now sees, and its unique keys are looked at again when the
 * write ends.
 */
export function* rebaseSteps(context: GraphContext, work: DraftWork, base: Base): Generator<Work<void>> {
  const {state} = work;
  const {branch} = state;
  let nodes: readonly number[] = [];
  let edges: readonly Edge[] = [];
  yield (function* (): Work<void> {
    ({nodes, edges} = yield* touchedSince(branch, context.book.settledAt(branch)));
  })();
  for (let from = 0; from < nodes.length; from += NODES_PER_STEP)
    yield work.keys.recheck(nodes.slice(from, from + NODES_PER_STEP));
  yield moveOnto(context, work, base);
  for (let from = 0; from < edges.length; from += NODES_PER_STEP)
    yield endLost(state, edges.slice(from, from + NODES_PER_STEP));
}

/** Ends edges of the branch's own to objects that its origin has ended meanwhile. */
function* endLost(state: DraftState, edges: readonly Edge[]): Work<void> {
  const ends = new Set(edges.flatMap(([source, , target]) => [source, target]));
  const seen = new Set((yield* state.reader.versions([...ends])).map(({serial}) => serial));
  const lost = edges.filter(([source, , target]) => !seen.has(source) || !seen.has(target));
  if (lost.length === 0) return;
  const open = (yield read(
    `SELECT e.src, e.rel, e.dst FROM ${state.dialect.triples('?1')} p CROSS JOIN edge e
     WHERE e.src = p.a AND e.rel = p.b AND e.branch = ?2 AND e.dst = p.c AND e.del = 0`,
    [JSON.stringify(lost), state.branch],
  )) as unknown as readonly Edge[];
  for (const edge of open) state.touchEdge(...edge);
  if (open.length > 0) yield* endHalves(state, state.branch, open.flatMap(halvesOf));
}

function* moveOnto(context: GraphContext, work: DraftWork, base: Base): Work<void> {
  const {state} = work;
  const {book} = context;
  const lineage = lineageOf(
    state.branch,
    state.at,
    serial => (serial === state.branch ? [...book.basesOf(serial), base] : book.basesOf(serial)),
    serial => book.headOf(serial),
  );
  const kinds = [...state.layout.kinds.values()];
  const ends = yield* endedKinds(work, lineage.branch[1]!.until, context);
  for (const id of ends) yield* work.delete(id);
  const layout =
    state.touchedKinds.size === 0
      ? yield* layoutOf(context, lineage)
      : yield* loadLayout(lineage, `draft ${state.at} rebased`, context.names);
  const keepers = yield* indexKeepers(context, lineage, state.branch, state.at);
  state.moveTo(lineage, layout, hasIndexIn(keepers), hasUniqueIn(keepers));
  for (const old of kinds) {
    const now = layout.bySerial.get(old.serial);
    if (now !== undefined && now.shape !== old.shape) yield* reindexKind(state, old, now);
  }
}

/** Objects of the branch whose kind its origin has given up meanwhile. */
function* endedKinds(work: DraftWork, until: Instant, context: GraphContext): Work<readonly NodeId[]> {
  const {state} = work;
  const parent = must(context.book.baseOf(state.branch), 'a base').parent;
  const origin = yield* layoutOf(context, context.book.lineage(parent, until));
  const own = new Set<string>();
  for (const [kind] of yield read('SELECT kind FROM kind_ver WHERE branch = ?1 AND t = ?2', [
    state.branch,
    FOREVER,
  ])) {
    own.add(kind as string);
  }
  const ended: NodeId[] = [];
  for (const kind of state.layout.kinds.values()) {
    if (own.has(kind.shape.id) || origin.bySerial.has(kind.serial)) continue;
    const selection = yield* state.queries.select(kind, []);
    if (selection === undefined) continue;
    const placed = yield* state.queries.placed(selection, {after: null, limit: null, offset: 0});
    for (const node of yield* state.reader.load(placed)) ended.push(node.id);
  }
  return ended;
}
