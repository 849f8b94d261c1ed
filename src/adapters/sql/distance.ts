import type {Instant} from '../../domain/time/instant.ts';
import type {Distance} from '../../ports/merge-store.ts';
import type {BranchBook} from './branch-book.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';

const COMMITS_AFTER = `SELECT count(*), COALESCE(sum(nodes + edges + kinds), 0) FROM commits
  WHERE branch = ?1 AND ts > ?2 AND nodes + edges + kinds > 0`;

/** How many commits a branch and its origin have made since they were last one; none for the default branch. */
export function* distanceOf(book: BranchBook, branch: number): Work<Distance> {
  const base = book.baseOf(branch);
  if (base === undefined) return {ahead: 0, behind: 0, touches: 0, since: 0 as Instant};
  const since = book.settledAt(branch);
  const [own] = yield read(COMMITS_AFTER, [branch, since]);
  const [origin] = yield read(COMMITS_AFTER, [base.parent, base.fork]);
  return {ahead: Number(own![0]), behind: Number(origin![0]), touches: Number(own![1]), since};
}
