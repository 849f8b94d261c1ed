import {inverseCode} from './layout.ts';
import type {Work} from './statement.ts';
import {change, read} from './statement.ts';
import {parseTouched} from './touched.ts';

const ROWS_PER_STEP = 500;

/** Tables whose rows are found by the branch alone. */
const BY_BRANCH: readonly (readonly [table: string, key: string])[] = [
  ['ix', 'branch, attr, val, sk, node'],
  ['ixh', 'branch, attr, val, sk, node, t'],
  ['uniq', 'branch, con, key'],
  ['kind_ver', 'branch, kind, t'],
];

/** Removes some rows of a deleted branch; true when none are left and the branch itself is gone. */
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
  const commits = yield read('SELECT ts, touched FROM commits WHERE branch = ?1 ORDER BY ts LIMIT 1', [
    branch,
  ]);
  for (const [instant, text] of commits) {
    const {n, e} = parseTouched(text as string);
    const nodes = n.slice(0, ROWS_PER_STEP);
    const edges = e.slice(0, ROWS_PER_STEP);
    for (const node of nodes) yield* purgeNode(branch, node);
    for (const [source, code, target] of edges) yield* purgeEdge(branch, source, code, target);
    if (nodes.length < n.length || edges.length < e.length) {
      const rest = {n: n.slice(ROWS_PER_STEP), e: e.slice(ROWS_PER_STEP), k: []};
      yield change('UPDATE commits SET touched = ?2 WHERE ts = ?1', [instant!, JSON.stringify(rest)]);
    } else {
      yield change('DELETE FROM commits WHERE ts = ?1', [instant!]);
    }
    return false;
  }
  yield change('DELETE FROM branch_base WHERE branch = ?1', [branch]);
  yield change('DELETE FROM branch WHERE id = ?1', [branch]);
  return true;
}

function* purgeNode(branch: number, node: number): Work<void> {
  yield change('DELETE FROM ver WHERE node = ?1 AND branch = ?2', [node, branch]);
  yield change('DELETE FROM node WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM ver WHERE node = ?1)', [node]);
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
