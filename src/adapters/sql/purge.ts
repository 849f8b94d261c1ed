import type {CommitOperation} from './commit-log.ts';
import {inverseCode} from './layout.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {type Edge, parseTouched, sealTouched} from './touched.ts';

const ROWS_PER_STEP = 500;

/** Tables whose rows are found by the branch alone. */
const BY_BRANCH: readonly (readonly [table: string, key: string])[] = [
  ['ix', 'branch, attr, val, sk, node'],
  ['ixh', 'branch, attr, val, sk, node, t'],
  ['uniq', 'branch, con, key'],
  ['kind_ver', 'branch, kind, t'],
  ['choice', 'branch, conflict'],
];

/** Removes some rows of a deleted branch; true when none are left. */
export function* purgeStep(branch: number): Work<boolean> {
  for (const [table, key] of BY_BRANCH) {
    const count = (yield read(`SELECT 1 FROM ${table} WHERE branch = ?1 LIMIT 1`, [branch])).length;
    if (count === 0) continue;
    yield blind(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE branch = ?1 LIMIT ${ROWS_PER_STEP})`,
      [branch],
    );
    return false;
  }
  const commits = yield read('SELECT ts, op, touched FROM commits WHERE branch = ?1 ORDER BY ts LIMIT 1', [
    branch,
  ]);
  for (const [instant, operation, text] of commits) {
    yield* purgeCommit(branch, instant as number, operation as CommitOperation, text as string);
    return false;
  }
  yield blind('DELETE FROM branch_base WHERE branch = ?1', [branch]);
  yield blind('UPDATE branch SET purged = 1 WHERE id = ?1', [branch]);
  return true;
}

function* purgeCommit(branch: number, instant: number, operation: CommitOperation, text: string): Work<void> {
  const {n, e, c = [], g} = parseTouched(text);
  const nodes = [...n, ...c];
  const [nodesNow, edgesNow] = [nodes.slice(0, ROWS_PER_STEP), e.slice(0, ROWS_PER_STEP)];
  const isKept = operation !== 'write' && operation !== 'write.local';
  const kept = {
    n: [...(g?.n ?? []), ...(isKept ? yield* sharedNodes(instant, nodesNow) : [])],
    e: [...(g?.e ?? []), ...(isKept ? yield* sharedEdges(instant, edgesNow) : [])],
  };
  for (const node of nodesNow) yield* purgeNode(branch, node);
  for (const [source, code, target] of edgesNow) yield* purgeEdge(branch, source, code, target);
  if (nodes.length > ROWS_PER_STEP || e.length > ROWS_PER_STEP) {
    const rest = {n: nodes.slice(ROWS_PER_STEP), e: e.slice(ROWS_PER_STEP), k: [], g: kept};
    yield blind('UPDATE commits SET touched = ?2 WHERE ts = ?1', [instant, sealTouched(rest)]);
    return;
  }
  if (!isKept) {
    yield blind('DELETE FROM commits WHERE ts = ?1', [instant]);
    return;
  }
  // What it wrote for all branches outlives the branch, and so does the word of its birth and end. The last one, which
  // deleted it, keeps instants from being given twice.
  yield blind('UPDATE commits SET branch = ?2, kinds = 0, touched = ?3 WHERE ts = ?1', [
    instant,
    GLOBAL_SERIAL,
    sealTouched({...kept, k: [], b: branch}),
  ]);
}

const SHARED_NODE = `SELECT 1 FROM ver WHERE node = ?1 AND branch = ${GLOBAL_SERIAL} AND (f = ?2 OR t = ?2) LIMIT 1`;
const SHARED_EDGE = `SELECT 1 FROM edge WHERE src = ?1 AND rel = ?2 AND branch = ${GLOBAL_SERIAL} AND dst = ?3 AND f = ?4
  UNION ALL SELECT 1 FROM edgeh WHERE src = ?1 AND rel = ?2 AND branch = ${GLOBAL_SERIAL} AND dst = ?3
    AND (f = ?4 OR t = ?4) LIMIT 1`;

function* sharedNodes(instant: number, nodes: readonly number[]): Work<readonly number[]> {
  const shared: number[] = [];
  for (const node of nodes) if ((yield read(SHARED_NODE, [node, instant])).length > 0) shared.push(node);
  return shared;
}

function* sharedEdges(instant: number, edges: readonly Edge[]): Work<readonly Edge[]> {
  const shared: Edge[] = [];
  for (const edge of edges) if ((yield read(SHARED_EDGE, [...edge, instant])).length > 0) shared.push(edge);
  return shared;
}

/** The node itself stays, so that its number and its id are never given to another object. */
function* purgeNode(branch: number, node: number): Work<void> {
  yield blind('DELETE FROM ver WHERE node = ?1 AND branch = ?2', [node, branch]);
}

function* purgeEdge(branch: number, source: number, code: number, target: number): Work<void> {
  const inverse = inverseCode(code);
  for (const place of [
    [source, code, branch, target],
    [target, inverse, branch, source],
  ]) {
    for (const table of ['edge', 'edgeh']) {
      yield blind(`DELETE FROM ${table} WHERE src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4`, place);
    }
  }
}
