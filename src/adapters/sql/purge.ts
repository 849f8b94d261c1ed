import type {CommitOperation} from './commit-log.ts';
import {inverseCode} from './layout.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import type {Work} from './statement.ts';
import {change, read} from './statement.ts';
import {NOTHING_TOUCHED, parseTouched, sealTouched} from './touched.ts';

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
    yield change(
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
  yield change('DELETE FROM branch_base WHERE branch = ?1', [branch]);
  yield change('UPDATE branch SET purged = 1 WHERE id = ?1', [branch]);
  return true;
}

function* purgeCommit(branch: number, instant: number, operation: CommitOperation, text: string): Work<void> {
  const {n, e, c = []} = parseTouched(text);
  const nodes = [...n, ...c];
  for (const node of nodes.slice(0, ROWS_PER_STEP)) yield* purgeNode(branch, node);
  for (const [source, code, target] of e.slice(0, ROWS_PER_STEP)) {
    yield* purgeEdge(branch, source, code, target);
  }
  if (nodes.length > ROWS_PER_STEP || e.length > ROWS_PER_STEP) {
    const rest = {n: nodes.slice(ROWS_PER_STEP), e: e.slice(ROWS_PER_STEP), k: []};
    yield change('UPDATE commits SET touched = ?2 WHERE ts = ?1', [instant, sealTouched(rest)]);
    return;
  }
  if (operation === 'write' || operation === 'branch.created') {
    yield change('DELETE FROM commits WHERE ts = ?1', [instant]);
    return;
  }
  // What it wrote for all branches outlives the branch. The last one, which deleted it, keeps instants from being
  // given twice.
  yield change('UPDATE commits SET branch = ?2, kinds = 0, touched = ?3 WHERE ts = ?1', [
    instant,
    GLOBAL_SERIAL,
    NOTHING_TOUCHED,
  ]);
}

/** The node itself stays, so that its number and its id are never given to another object. */
function* purgeNode(branch: number, node: number): Work<void> {
  yield change('DELETE FROM ver WHERE node = ?1 AND branch = ?2', [node, branch]);
}

function* purgeEdge(branch: number, source: number, code: number, target: number): Work<void> {
  const inverse = inverseCode(code);
  for (const place of [
    [source, code, branch, target],
    [target, inverse, branch, source],
  ]) {
    for (const table of ['edge', 'edgeh']) {
      yield change(`DELETE FROM ${table} WHERE src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4`, place);
    }
  }
}
