import type {Instant} from '../../domain/time/instant.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {GraphContext} from './graph-view.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import {stretchesBetween, touchedIn} from './touched.ts';

/**
 * Whether what was weighed for a merge of the branch is still all there is: the branch has not moved since, and what
 * its origin did meanwhile touches nothing that the branch changed. Only what moved meanwhile is looked at.
 */
export function* stillHolds(
  {book, instants, dialect}: GraphContext,
  branch: number,
  at: Instant,
  {branch: changes, at: preparedAt}: MergeMatterOfBranch,
): Work<boolean> {
  const base = book.baseOf(branch);
  if (base === undefined || base.since > preparedAt || book.headOf(branch) > preparedAt) return false;
  const before = book.lineage(base.parent, preparedAt).branch;
  const now = book.lineage(base.parent, at).branch;
  if (instants.keyOf(before) !== instants.keyOf(now)) return false;
  const {nodes, edges} = yield* touchedIn(stretchesBetween(before, now));
  const moved = new Set(nodes.keys());
  for (const [[source, , target]] of edges.values()) moved.add(source).add(target);
  if (moved.size === 0) return true;
  const changed = new Set<string>(changes.map(({id}) => id));
  const ids = yield read(
    `SELECT n.uuid FROM ${dialect.integers('?1')} p CROSS JOIN node n WHERE n.id = p.value`,
    [JSON.stringify([...moved])],
  );
  return !ids.some(([id]) => changed.has(id as string));
}
