import type {BranchName} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {BranchBook} from './branch-book.ts';
import {lastCommit} from './commit-log.ts';
import type {GraphContext} from './graph-view.ts';
import {SchemaInstants} from './kind-records.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import {Names} from './names.ts';
import type {Row, Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import {Views} from './views.ts';

const COMMIT = 0;
const BASE = 1;
const BRANCH = 2;
const TOLD = 3;

/** Under this key stands the last instant that was told to be over: no commit may fall on it or before it. */
const TOLD_KEY = 'told';

/** Everything of the log that is kept in memory, in one look. */
const NEWS = `SELECT ${COMMIT} AS what, ts AS at, branch, kinds, CASE op WHEN 'write.others' THEN 1 ELSE 0 END AS a, 0 AS b,
    '' AS x, '' AS y, '' AS z FROM commits WHERE ts > ?1
  UNION ALL SELECT ${BASE}, since, branch, kinds, parent, fork, CAST(settles AS TEXT), '', '' FROM branch_base WHERE since > ?1
  UNION ALL SELECT ${BRANCH}, created, id, sync, deleted, purged, uuid, name, description FROM branch
    WHERE created > ?1 OR deleted > ?1
  UNION ALL SELECT ${TOLD}, CAST(value AS BIGINT), 0, 0, 0, 0, '', '', '' FROM meta
    WHERE CASE key WHEN '${TOLD_KEY}' THEN CAST(value AS BIGINT) > ?2 ELSE FALSE END
  ORDER BY 1 DESC, 2`;

type Parts = Pick<GraphContext, 'dialect' | 'layouts' | 'cache' | 'defaultBranch'>;

/**
 * What one process keeps in memory of a graph that others write to as well, and up to which commit. Commits have
 * rising instants in the order in which they become visible, so whatever is newer than the last known one is news.
 */
export class CommitFollower {
  readonly context: GraphContext;
  #committed: Instant;
  #told = 0;

  constructor(context: GraphContext, committed: Instant) {
    this.context = context;
    this.#committed = committed;
  }

  /** All statements must see one state of the database. */
  static *load(parts: Parts, oldest: Instant): Work<CommitFollower> {
    const committed = (yield* lastCommit()) ?? oldest;
    const book = yield* BranchBook.load();
    const instants = yield* SchemaInstants.load();
    const names = yield* Names.load();
    return new CommitFollower({...parts, book, instants, names, views: new Views()}, committed);
  }

  /** Every commit up to it is known. */
  get committed(): Instant {
    return this.#committed;
  }

  /** The last instant that anybody was told to be over, as far as is known here. */
  get told(): Instant {
    return Math.max(this.#told, this.#committed) as Instant;
  }

  /** A commit of one's own, whose effects are in the context already. */
  reach(commit: Instant): void {
    if (commit > this.#committed) this.#committed = commit;
  }

  /** Finds a row when somebody has committed something that is not known yet. */
  probe(): Statement {
    return read('SELECT ts FROM commits WHERE ts > ?1 LIMIT 1', [this.#committed]);
  }

  /** Takes over what others have committed; false when there is nothing new. */
  *catchUp(): Work<boolean> {
    return yield* this.takeOver(yield this.news());
  }

  news(): Statement {
    return read(NEWS, [this.#committed, this.#told]);
  }

  *takeOver(rows: readonly Row[]): Work<boolean> {
    const isNew = (row: Row) => row[0] === COMMIT && (row[1] as number) > this.#committed;
    if (rows.some(row => isNew(row) && (row[3] as number) > 0)) yield* this.context.names.reload();
    const before = this.#committed;
    // Another reader may have taken over some of it meanwhile: what is known is skipped, and nothing waits in between.
    for (const row of rows) this.#apply(row, before);
    return this.#committed > before;
  }

  #apply([what, at, branch, kinds, a, b, x, y, z]: Row, before: Instant): void {
    const {book, instants} = this.context;
    const instant = at as Instant;
    const serial = branch as number;
    if (what === TOLD) {
      this.#told = Math.max(this.#told, instant);
    } else if (what === BRANCH) {
      const known = book.bySerial(serial);
      if (a !== 0 && known !== undefined) book.remove(known);
      if (a !== 0 && b === 0) book.leaving.add(serial);
      if (a === 0 && known === undefined) {
        book.add({
          serial,
          id: x as string,
          name: y as BranchName,
          description: z as string,
          createdAt: instant,
          syncWithGit: kinds === 1,
        });
      }
    } else if (what === BASE) {
      if ((book.baseOf(serial)?.since ?? 0) >= instant) return;
      book.addBase(serial, {since: instant, parent: a as number, fork: b as Instant, settles: x === '1'});
      if (kinds !== 0) instants.add(serial, instant);
    } else if (instant > before) {
      book.moveHead(serial, instant);
      book.moveHead(GLOBAL_SERIAL, instant);
      if (a === 1) book.moveAllHeads(instant);
      if (kinds !== 0) instants.add(serial, instant);
      this.reach(instant);
    }
  }
}

/** Written inside a transaction that no commit can be under way beside. */
export const tellStatement = (instant: Instant): Statement =>
  blind(
    `INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value
     WHERE CAST(meta.value AS BIGINT) < CAST(excluded.value AS BIGINT)`,
    [TOLD_KEY, String(instant)],
  );
