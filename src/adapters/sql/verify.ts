import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {VerifyReport} from '../../ports/graph-store.ts';
import type {BranchRow} from './branch-book.ts';
import {DraftState} from './draft-state.ts';
import type {GraphContext} from './graph-view.ts';
import {layoutOf, queriesAt} from './graph-view.ts';
import type {GraphLayout} from './layout.ts';
import {orderKey} from './layout.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import {entriesOf} from './node-writer.ts';
import {parseDocument} from './reader.ts';
import {unsealed} from './sealed-text.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import {StoredNode} from './stored-node.ts';
import {uniqueKeys} from './unique-keys.ts';

const BATCH = 1000;
const PROBLEMS_MAX = 100;

/** Rules that one statement can prove: each finds the rows that break it. */
const RULES: readonly (readonly [rule: string, sql: string])[] = [
  ['a version ends before it begins', 'SELECT vid FROM ver WHERE f >= t'],
  [
    'two versions of a node on one branch overlap',
    `SELECT a.vid FROM ver a JOIN ver b ON b.node = a.node AND b.branch = a.branch AND b.vid <> a.vid
     WHERE (a.del = 2) = (b.del = 2) AND a.f < b.t AND b.f < a.t AND a.vid < b.vid`,
  ],
  [
    'a version belongs to no node',
    'SELECT vid FROM ver WHERE NOT EXISTS (SELECT 1 FROM node WHERE id = ver.node)',
  ],
  ['an index entry ends before it begins', 'SELECT node FROM ixh WHERE f >= t'],
  ['an edge ends before it begins', 'SELECT src FROM edgeh WHERE f >= t'],
  [
    'an open edge has only one end',
    `SELECT a.src FROM edge a WHERE NOT EXISTS (SELECT 1 FROM edge b WHERE b.src = a.dst AND b.dst = a.src
       AND b.branch = a.branch AND b.f = a.f AND b.del = a.del AND b.props IS NOT DISTINCT FROM a.props
       AND b.rel = CASE a.rel % 4 WHEN 1 THEN a.rel + 1 WHEN 2 THEN a.rel - 1 ELSE a.rel END)`,
  ],
  [
    'a closed edge has only one end',
    `SELECT a.src FROM edgeh a WHERE NOT EXISTS (SELECT 1 FROM edgeh b WHERE b.src = a.dst AND b.dst = a.src
       AND b.branch = a.branch AND b.t = a.t AND b.f = a.f AND b.del = a.del AND b.props IS NOT DISTINCT FROM a.props
       AND b.rel = CASE a.rel % 4 WHEN 1 THEN a.rel + 1 WHEN 2 THEN a.rel - 1 ELSE a.rel END)`,
  ],
  [
    'an edge begins before its closed predecessor ended',
    `SELECT a.src FROM edge a JOIN edgeh b ON b.src = a.src AND b.rel = a.rel AND b.branch = a.branch AND b.dst = a.dst
     WHERE b.t > a.f`,
  ],
  [
    'a version was written by no commit',
    'SELECT vid FROM ver WHERE NOT EXISTS (SELECT 1 FROM commits WHERE ts = ver.f)',
  ],
  [
    'a kind of the schema has two records at once',
    `SELECT a.kind FROM kind_ver a JOIN kind_ver b ON b.branch = a.branch AND b.kind = a.kind AND b.t <> a.t
     WHERE a.f < b.t AND b.f < a.t AND a.t < b.t`,
  ],
];

/** Walks every branch and proves the invariants of the layout. Rows of a branch being removed are left out. */
export function* verifyGraph(context: GraphContext, at: Instant): Work<VerifyReport> {
  const problems: string[] = [];
  const checked: Record<string, number> = {rules: RULES.length};
  const isRemoving = context.book.leaving.size > 0;
  for (const [rule, sql] of RULES) {
    if (isRemoving) break;
    const rows = yield read(`${sql} LIMIT 5`, []);
    if (rows.length > 0) problems.push(`${rule}: ${rows.map(row => row[0]).join(', ')}`);
  }
  checked.versions = yield* verifyDocuments(problems);
  checked.sealed = yield* verifySealed(problems);
  checked.entries = 0;
  checked.keys = 0;
  checked.edges = 0;
  for (const row of context.book.rows()) {
    const counts = yield* verifyBranch(context, row, at, problems);
    checked.entries += counts.entries;
    checked.keys += counts.keys;
    checked.edges += counts.edges;
  }
  return {checked, problems: problems.slice(0, PROBLEMS_MAX)};
}

function* verifyDocuments(problems: string[]): Work<number> {
  let count = 0;
  let last = 0;
  for (;;) {
    const rows = yield read('SELECT vid, crc, doc FROM ver WHERE vid > ?1 ORDER BY vid LIMIT ?2', [
      last,
      BATCH,
    ]);
    if (rows.length === 0) return count;
    for (const [version, crc, text] of rows) {
      count += 1;
      last = version as number;
      note(problems, () => parseDocument(last, crc as number, text as string));
    }
  }
}

/** The records of the schema and of the change log are as they were written. */
function* verifySealed(problems: string[]): Work<number> {
  const kinds = yield read('SELECT kind, doc FROM kind_ver', []);
  for (const [kind, doc] of kinds) note(problems, () => unsealed(doc as string, `The kind ${kind}`));
  let count = kinds.length;
  let last = 0;
  for (;;) {
    const rows = yield read('SELECT ts, touched FROM commits WHERE ts > ?1 ORDER BY ts LIMIT ?2', [
      last,
      BATCH,
    ]);
    if (rows.length === 0) return count;
    for (const [instant, touched] of rows) {
      count += 1;
      last = instant as number;
      note(problems, () => unsealed(touched as string, `The commit at ${last}`));
    }
  }
}

function note(problems: string[], check: () => unknown): void {
  try {
    check();
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
}

interface BranchCounts {
  entries: number;
  keys: number;
  edges: number;
}

/** The open versions of a branch have exactly the entries and keys that their documents say, and no edge dangles. */
function* verifyBranch(
  context: GraphContext,
  row: BranchRow,
  at: Instant,
  problems: string[],
): Work<BranchCounts> {
  const counts: BranchCounts = {entries: 0, keys: 0, edges: 0};
  const isDefault = row.serial === context.defaultBranch;
  const homes = isDefault ? [row.serial, GLOBAL_SERIAL] : [row.serial];
  const lineage = context.book.lineage(row.serial, at);
  const layout = yield* layoutOf(context, lineage);
  const queries = yield* queriesAt(context, row.serial, at);
  const state = new DraftState({
    branch: row.serial,
    at,
    lineage,
    layout,
    names: context.names,
    dialect: context.dialect,
    cache: context.cache,
    counters: {version: 0, durable: 0, node: 0},
    canonical: () => undefined,
    hasIndex: queries.hasIndex,
    hasUnique: () => true,
  });
  for (const home of homes) {
    yield* verifyEntries(state, home, layout, counts, problems);
    yield* verifyEdges(state, home, counts, problems);
  }
  return counts;
}

function* verifyEntries(
  state: DraftState,
  branch: number,
  layout: GraphLayout,
  counts: BranchCounts,
  problems: string[],
): Work<void> {
  let entries = 0;
  let keys = 0;
  let last = 0;
  const indexes = new Set<number>();
  const constraints = new Set<number>();
  for (const kind of layout.kinds.values()) {
    if ((kind.shape.scope === 'agnostic') !== (branch === GLOBAL_SERIAL)) continue;
    indexes.add(kind.membership);
    for (const slot of kind.indexed) indexes.add(slot.index!);
    for (const unique of kind.unique) constraints.add(unique.serial);
  }
  for (;;) {
    const rows = yield read(
      `SELECT node, vid, kind, f, crc, doc, sk FROM ver${state.dialect.indexedBy('ver_at')}
       WHERE node > ?1 AND branch = ?2 AND t = ?3 AND del = 0 ORDER BY node LIMIT ?4`,
      [last, branch, FOREVER, BATCH],
    );
    if (rows.length === 0) break;
    for (const [serial, version, kind, since, crc, text, key] of rows) {
      last = serial as number;
      const kindLayout = layout.bySerial.get(kind as number);
      if (kindLayout === undefined) {
        problems.push(`node ${last} on branch ${branch} has a kind that its schema lacks`);
        continue;
      }
      const document = parseDocument(version as number, crc as number, text as string);
      const node = new StoredNode(last, kindLayout, version as number, branch, since as Instant, document);
      const orders = orderKey(kindLayout, document);
      if (orders !== key) problems.push(`node ${last} on branch ${branch} has the wrong order key`);
      for (const [index, value] of entriesOf(kindLayout, document)) {
        entries += 1;
        const found = yield read(
          'SELECT f FROM ix WHERE branch = ?1 AND attr = ?2 AND val = ?3 AND sk = ?4 AND node = ?5',
          [branch, index, value, orders, last],
        );
        if (found.length === 0)
          problems.push(`node ${last} on branch ${branch} lacks an entry of index ${index}`);
      }
      for (const [constraint, uniqueKey] of yield* uniqueKeys(state, node)) {
        keys += 1;
        const found = yield read('SELECT node FROM uniq WHERE branch = ?1 AND con = ?2 AND key = ?3', [
          branch,
          constraint,
          uniqueKey,
        ]);
        if (found[0]?.[0] !== last)
          problems.push(`node ${last} on branch ${branch} lacks its unique key ${constraint}`);
      }
    }
  }
  yield* expectCount('ix', 'attr', branch, indexes, entries, problems);
  yield* expectCount('uniq', 'con', branch, constraints, keys, problems);
  counts.entries += entries;
  counts.keys += keys;
}

function* expectCount(
  table: string,
  column: string,
  branch: number,
  among: ReadonlySet<number>,
  expected: number,
  problems: string[],
): Work<void> {
  let count = 0;
  for (const serial of among) {
    const rows = yield read(`SELECT count(*) FROM ${table} WHERE branch = ?1 AND ${column} = ?2`, [
      branch,
      serial,
    ]);
    count += Number(rows[0]![0]);
  }
  if (count !== expected)
    problems.push(`branch ${branch} has ${count} rows in ${table} where ${expected} are right`);
}

/** Every open edge of the branch joins two nodes that its view shows. */
function* verifyEdges(
  state: DraftState,
  branch: number,
  counts: BranchCounts,
  problems: string[],
): Work<void> {
  let last: readonly [number, number, number] = [0, 0, 0];
  for (;;) {
    const rows = yield read(
      `SELECT src, rel, dst FROM edge WHERE branch = ?1 AND del = 0 AND (src, rel, dst) > (?2, ?3, ?4)
       ORDER BY src, rel, dst LIMIT ?5`,
      [branch, ...last, BATCH],
    );
    if (rows.length === 0) return;
    const ends = new Set<number>();
    for (const [source, , target] of rows) ends.add(source as number).add(target as number);
    const visible = new Set((yield* state.reader.versions([...ends])).map(version => version.serial));
    for (const [source, code, target] of rows) {
      counts.edges += 1;
      last = [source as number, code as number, target as number];
      if (!visible.has(last[0]) || !visible.has(last[2])) {
        problems.push(`an edge of branch ${branch} joins ${source} and ${target}, of which one is gone`);
      }
    }
  }
}
