import {FOREVER, type Instant} from '../../domain/time/instant.ts';
import type {Distance} from '../../ports/merge-store.ts';
import type {BranchBook} from './branch-book.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import {stretchesBetween} from './touched.ts';

const COMMITS = `SELECT count(*), COALESCE(sum(nodes + edges + kinds), 0) FROM commits
  WHERE branch = ?1 AND ts > ?2 AND ts <= ?3 AND nodes + edges + kinds > 0
    AND op NOT IN ('write.agnostic', 'write.local')`;

/**
 * How many commits a branch and its origin have made since they were last one; none for the default branch. Those that
 * wrote nothing a merge weighs, such as a log in, do not count. An origin that was rebased brings commits of its own.
 */
export function* distanceOf(book: BranchBook, branch: number): Work<Distance> {
  const base = book.baseOf(branch);
  if (base === undefined) return {ahead: 0, behind: 0, touches: 0, since: 0 as Instant};
  const since = book.settledAt(branch);
  const [own] = yield read(COMMITS, [branch, since, FOREVER]);
  const seen = book.lineage(base.parent, base.fork).branch;
  const now = book.lineage(base.parent, FOREVER).branch;
  let behind = 0;
  for (const stretch of stretchesBetween(seen, now)) {
    const [theirs] = yield read(COMMITS, [stretch.branch, stretch.after, stretch.until]);
    behind += Number(theirs![0]);
  }
  return {ahead: Number(own![0]), behind, touches: Number(own![1]), since};
}
