import type {Instant} from '../../domain/time/instant.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {readerOf, toldBy} from './branch-diff.ts';
import {changesBetween} from './changes.ts';
import type {GraphContext} from './graph-view.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import {stretchesBetween, touchedAmong, touchedIn} from './touched.ts';

/**
 * What was weighed for a merge of the branch, as it is now: only objects of the branch's that its origin has touched
 * since are compared again. Undefined when the branch itself or a schema has moved: then all is to be compared anew.
 */
export function* movedMatter(
  context: GraphContext,
  branch: number,
  at: Instant,
  prepared: MergeMatterOfBranch,
): Work<MergeMatterOfBranch | undefined> {
  const {book, instants} = context;
  const base = book.baseOf(branch);
  if (base === undefined || base.since > prepared.at || book.headOf(branch) > prepared.at) return undefined;
  const before = book.lineage(base.parent, prepared.at).branch;
  const origin = book.lineage(base.parent, at);
  if (instants.keyOf(before) !== instants.keyOf(origin.branch)) return undefined;
  const moved = yield* movedAmong(context, stretchesBetween(before, origin.branch), branch);
  if (moved.size === 0) return prepared;
  const fork = book.lineage(base.parent, base.fork);
  const sinceFork = yield* touchedIn(stretchesBetween(fork.branch, origin.branch));
  const theirs = yield* changesBetween(
    yield* readerOf(context, fork),
    yield* readerOf(context, origin),
    touchedAmong(sinceFork, new Set(moved.keys())),
  );
  const ids = new Set(moved.values());
  const again = [...theirs].filter(([serial]) => moved.has(serial)).map(([, change]) => change);
  return {...prepared, at, origin: [...prepared.origin.filter(({id}) => !ids.has(id)), ...again]};
}

/** The objects that commits have touched and that the branch has had a word on, with their ids. */
function* movedAmong(
  context: GraphContext,
  stretches: ReturnType<typeof stretchesBetween>,
  branch: number,
): Work<ReadonlyMap<number, string>> {
  const {nodes, edges} = yield* touchedIn(stretches);
  const touched = new Set(nodes.keys());
  for (const [[source, , target]] of edges.values()) touched.add(source).add(target);
  if (touched.size === 0) return new Map();
  const told = yield* toldBy(context, branch);
  const rows = yield read(
    `SELECT n.id, n.uuid FROM ${context.dialect.integers('?1')} p CROSS JOIN node n WHERE n.id = p.value`,
    [JSON.stringify([...touched].filter(serial => told.has(serial)))],
  );
  return new Map(rows.map(([serial, id]) => [serial as number, id as string]));
}
