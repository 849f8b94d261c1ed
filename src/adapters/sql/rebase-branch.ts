import {must} from '../../base/assert.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {DraftWork} from './draft-work.ts';
import type {GraphContext} from './graph-view.ts';
import {hasIndexIn, hasUniqueIn, indexKeepers} from './graph-view.ts';
import {loadLayout} from './kind-records.ts';
import {reindexKind} from './kind-writer.ts';
import type {Base} from './lineage.ts';
import {lineageOf} from './lineage.ts';
import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {touchedSince} from './touched.ts';

const NODES_PER_STEP = 200;

export const baseStatement = (branch: number, base: Base, movesKinds: boolean): Statement =>
  blind(
    'INSERT INTO branch_base (branch, since, parent, fork, settles, kinds) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
    [branch, base.since, base.parent, base.fork, base.settles ? 1 : 0, movesKinds ? 1 : 0],
  );

/**
 * Puts the draft's branch onto its origin, in steps of which each is done before the next is asked for. What the branch wrote stays on top; its indexes follow the
 * schema that it now sees, and its unique keys are looked at again when the write ends.
 */
export function* rebaseSteps(context: GraphContext, work: DraftWork, base: Base): Generator<Work<void>> {
  const {state} = work;
  const {branch} = state;
  let nodes: readonly number[] = [];
  yield (function* (): Work<void> {
    ({nodes} = yield* touchedSince(branch, context.book.settledAt(branch)));
  })();
  for (let from = 0; from < nodes.length; from += NODES_PER_STEP)
    yield work.keys.recheck(nodes.slice(from, from + NODES_PER_STEP));
  yield moveOnto(context, work, base);
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
  const layout = yield* loadLayout(lineage, `draft ${state.at} rebased`, context.names);
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
  const origin = yield* loadLayout(context.book.lineage(parent, until), 'origin', context.names);
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
