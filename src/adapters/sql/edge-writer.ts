import type {EdgeProperties} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {DraftState} from './draft-state.ts';
import {readProperties, writeProperties} from './edge-properties.ts';
import {inverseCode} from './layout.ts';
import type {Level} from './lineage.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import type {Row, Statement, Work} from './statement.ts';
import {blind, Parameters, read} from './statement.ts';
import type {Edge} from './touched.ts';
import {edgeArms} from './visibility.ts';

/** One end of an edge, on the branch where edges of its relationship are written. */
export interface HalfEdge {
  readonly source: number;
  readonly code: number;
  readonly target: number;
  readonly isAgnostic: boolean;
}

const OWN = 'SELECT f, del, props FROM edge WHERE src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4';
const KEEP = `INSERT INTO edgeh (src, rel, branch, dst, t, f, del, props)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
const ADD = 'INSERT INTO edge (src, rel, branch, dst, f, del, props) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)';
const PUT = `${ADD}
  ON CONFLICT (src, rel, branch, dst) DO UPDATE SET f = excluded.f, del = excluded.del, props = excluded.props`;
const DROP = `DELETE FROM edge WHERE src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4
  RETURNING f, del, props`;
const HISTORY = `INSERT INTO edgeh (src, rel, branch, dst, t, f, del, props) SELECT ?1, ?2, ?3, ?4, ?5, f, del, props`;
const MOVE = `WITH gone AS (${DROP}) ${HISTORY} FROM gone WHERE f < ?5`;
const COPY = `${HISTORY} FROM edge WHERE src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4 AND f < ?5`;

/** The properties of the edge as the draft sees it; `undefined` when there is none. */
function* visibleProperties(
  state: DraftState,
  half: HalfEdge,
): Work<{own: boolean; properties: string | null} | undefined> {
  const own = yield read(OWN, [half.source, half.code, branchOf(state, half), half.target]);
  if (own[0] !== undefined)
    return own[0][1] === 1 ? undefined : {own: true, properties: own[0][2] as string | null};
  const below = yield* propertiesBelow(state, half);
  return below === undefined ? undefined : {own: false, properties: below.properties};
}

/** Adds an edge, both ends; false when it was there with just these properties. */
export function* putEdge(
  state: DraftState,
  half: HalfEdge,
  properties: Partial<EdgeProperties>,
  isFresh: boolean,
): Work<boolean> {
  const before = isFresh ? undefined : yield* visibleProperties(state, half);
  const known = before?.properties ?? null;
  const text =
    Object.keys(properties).length === 0 ? known : writeProperties({...readProperties(known), ...properties});
  if (before !== undefined && before.properties === text) return false;
  for (const end of bothEnds(half)) {
    if (isFresh) yield addHalf(state, end, text);
    else yield* putHalf(state, end, 0, text);
  }
  state.touchEdge(half.source, half.code, half.target);
  if (half.isAgnostic) state.writesGlobal = true;
  return true;
}

/** Ends an edge, both ends; false when there was none. */
export function* endEdge(state: DraftState, half: HalfEdge): Work<boolean> {
  if ((yield* visibleProperties(state, half)) === undefined) return false;
  for (const end of bothEnds(half)) {
    if ((yield* propertiesBelow(state, end)) === undefined) {
      yield* dropHalf(state, [end.source, end.code, branchOf(state, end), end.target]);
    } else {
      yield* putHalf(state, end, 1, null);
    }
  }
  state.touchEdge(half.source, half.code, half.target);
  if (half.isAgnostic) state.writesGlobal = true;
  return true;
}

/** Ends every edge of a node: those the draft sees, and those of agnostic nodes on every branch. */
export function* endEdgesOf(state: DraftState, serial: number, isAgnostic: boolean): Work<void> {
  for (const levels of [state.lineage.branch, state.lineage.global]) {
    const parameters = new Parameters();
    const source = parameters.bind(serial);
    const arms = edgeArms(levels, parameters).map(
      arm => `SELECT e.rel, e.dst FROM ${arm.table} e WHERE e.src = ${source} AND ${arm.where}`,
    );
    for (const row of yield read(arms.join(' UNION ALL '), parameters.values)) {
      if (state.hasClaims) yield* refusePeer(state, row[1] as number);
      yield* endEdge(state, {
        source: serial,
        code: row[0] as number,
        target: row[1] as number,
        isAgnostic: levels === state.lineage.global,
      });
    }
  }
  if (isAgnostic) yield* endEdgesElsewhere(state, serial);
}

function* refusePeer(state: DraftState, serial: number): Work<void> {
  const [row] = yield read('SELECT uuid FROM node WHERE id = ?1', [serial]);
  if (row !== undefined) state.refuseClaimed(row[0] as NodeId, serial);
}

/** An agnostic node is gone from every branch at once, and so are the edges that other branches gave it. */
function* endEdgesElsewhere(state: DraftState, serial: number): Work<void> {
  const rows = yield read('SELECT rel, branch, dst FROM edge WHERE src = ?1 AND del = 0', [serial]);
  for (const [code, branch, target] of rows) {
    if (state.hasClaims) yield* refusePeer(state, target as number);
    const ends = [
      [serial, code as number, branch as number, target as number],
      [target as number, inverseCode(code as number), branch as number, serial],
    ];
    for (const place of ends) yield* dropHalf(state, place);
    state.touchEdge(serial, code as number, target as number);
    state.touchesOthers = true;
  }
}

/** Ends halves on one branch, whatever stands below them. */
export function* endHalves(state: DraftState, branch: number, halves: readonly Edge[]): Work<void> {
  const list = JSON.stringify(halves);
  const triples = state.dialect.triples('?1');
  yield blind(
    `INSERT INTO edgeh (src, rel, branch, dst, t, f, del, props)
     SELECT e.src, e.rel, e.branch, e.dst, ?3, e.f, e.del, e.props FROM ${triples} p CROSS JOIN edge e
     WHERE e.src = p.a AND e.rel = p.b AND e.branch = ?2 AND e.dst = p.c AND e.f < ?3`,
    [list, branch, state.at],
  );
  yield blind(
    `DELETE FROM edge WHERE branch = ?2 AND (src, rel, dst) IN (SELECT p.a, p.b, p.c FROM ${triples} p)`,
    [list, branch],
  );
}

function* dropHalf(state: DraftState, place: readonly number[]): Work<void> {
  if (state.dialect.movesRows) yield blind(MOVE, [...place, state.at]);
  else yield* keep(state, place, yield read(DROP, place));
}

/** Writes down what an edge was until now; one of this same commit leaves nothing behind. */
function* keep(state: DraftState, place: readonly number[], rows: readonly Row[]): Work<void> {
  for (const [since, del, properties] of rows) {
    if ((since as number) < state.at) yield blind(KEEP, [...place, state.at, since!, del!, properties!]);
  }
}

const addHalf = (state: DraftState, half: HalfEdge, properties: string | null): Statement =>
  blind(ADD, [half.source, half.code, branchOf(state, half), half.target, state.at, 0, properties]);

function* putHalf(state: DraftState, half: HalfEdge, del: 0 | 1, properties: string | null): Work<void> {
  const place = [half.source, half.code, branchOf(state, half), half.target];
  if (state.dialect.movesRows) yield blind(COPY, [...place, state.at]);
  else yield* keep(state, place, yield read(OWN, place));
  yield blind(PUT, [...place, state.at, del, properties]);
}

function* propertiesBelow(state: DraftState, half: HalfEdge): Work<{properties: string | null} | undefined> {
  const below: readonly Level[] = half.isAgnostic ? [] : state.lineage.branch.slice(1);
  if (below.length === 0) return undefined;
  const parameters = new Parameters();
  const place = `e.src = ${parameters.bind(half.source)} AND e.rel = ${parameters.bind(half.code)}
    AND e.dst = ${parameters.bind(half.target)}`;
  const arms = edgeArms(below, parameters).map(
    arm => `SELECT e.props FROM ${arm.table} e WHERE ${place} AND ${arm.where}`,
  );
  const row = (yield read(arms.join(' UNION ALL '), parameters.values))[0];
  return row === undefined ? undefined : {properties: row[0] as string | null};
}

const bothEnds = ({source, code, target, isAgnostic}: HalfEdge): readonly HalfEdge[] =>
  halvesOf([source, code, target]).map(half => ({
    source: half[0],
    code: half[1],
    target: half[2],
    isAgnostic,
  }));

/** Both ends of an edge; one, of an object's edge to itself that is the same from both. */
export function halvesOf(edge: Edge): readonly Edge[] {
  const [source, code, target] = edge;
  const inverse = inverseCode(code);
  return source === target && inverse === code ? [edge] : [edge, [target, inverse, source]];
}

const branchOf = (state: DraftState, half: HalfEdge): number =>
  half.isAgnostic ? GLOBAL_SERIAL : state.branch;
