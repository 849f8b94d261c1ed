import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {Author, CommitRecord, CommitsRequest} from '../../ports/graph-store.ts';
import type {Dialect} from './dialect.ts';
import type {DraftState} from './draft-state.ts';
import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {NOTHING_TOUCHED} from './touched.ts';

/**
 * What a commit did. `write.global` also wrote agnostic data, and `write.others` ended rows of other branches.
 * `write.agnostic` and `write.local` wrote nothing that a merge weighs: agnostic data, or none but local data.
 */
export type CommitOperation =
  | 'write'
  | 'write.global'
  | 'write.agnostic'
  | 'write.local'
  | 'write.others'
  | 'branch.created'
  | 'branch.deleted';

export function operationOf(state: DraftState): CommitOperation {
  if (state.touchesOthers) return 'write.others';
  if (state.isWeighed || state.movesForks || state.touchedKinds.size > 0)
    return state.writesGlobal ? 'write.global' : 'write';
  return state.writesGlobal ? 'write.agnostic' : 'write.local';
}

export function commitStatement(
  branch: number,
  at: Instant,
  operation: CommitOperation,
  author: Author,
  message: string,
  state?: DraftState,
  touched: string = NOTHING_TOUCHED,
): Statement {
  return blind(
    `INSERT INTO commits (ts, branch, op, author, message, nodes, edges, kinds, touched)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
    [
      at,
      branch,
      operation,
      author.account,
      message,
      state?.touchedNodes.size ?? 0,
      state?.touchedEdges.size ?? 0,
      state?.touchedKinds.size ?? 0,
      touched,
    ],
  );
}

/** True when the log has just this row. */
export function* isCommitted(commit: Statement): Work<boolean> {
  const [row] = yield read(
    'SELECT ts, branch, op, author, message, nodes, edges, kinds, touched FROM commits WHERE ts = ?1',
    [commit.params[0]!],
  );
  return row?.every((value, place) => value === commit.params[place]) ?? false;
}

/** The instant of the newest commit on any branch. */
export function* lastCommit(): Work<Instant | undefined> {
  return ((yield read('SELECT max(ts) FROM commits', []))[0]?.[0] ?? undefined) as Instant | undefined;
}

export function* listCommits(
  branch: number,
  name: BranchName,
  request: CommitsRequest,
): Work<readonly CommitRecord[]> {
  const order = request.newestFirst ? 'DESC' : 'ASC';
  const rows = yield read(
    `SELECT ts, author, message, nodes, edges FROM commits
     WHERE branch = ?1 AND ts > ?2 AND ts <= ?3 AND nodes + edges + kinds > 0 ORDER BY ts ${order} LIMIT ?4`,
    [branch, request.after ?? 0, request.until ?? FOREVER, request.limit],
  );
  return rows.map(([instant, author, message, nodes, edges]) => ({
    branch: name,
    instant: instant as Instant,
    author: author as NodeId | null,
    message: message as string,
    nodesTouched: nodes as number,
    edgesTouched: edges as number,
  }));
}

export function* authorsOf(
  instants: readonly Instant[],
  dialect: Dialect,
): Work<Map<Instant, NodeId | null>> {
  const rows = yield read(
    `SELECT c.ts, c.author FROM ${dialect.integers('?1')} p CROSS JOIN commits c WHERE c.ts = p.value`,
    [JSON.stringify(instants)],
  );
  return new Map(rows.map(([instant, author]) => [instant as Instant, author as NodeId | null]));
}
