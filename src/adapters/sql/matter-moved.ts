import {must} from '../../base/assert.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {readerOf, toldBy} from './branch-diff.ts';
import {changesBetween} from './changes.ts';
import type {GraphContext} from './graph-view.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';
import {stretchesBetween, touchedAmong, touchedIn} from './touched.ts';

/** True when neither the branch nor the schema that its origin has was changed since a merge or rebase was weighed. */
export function hasStood(
  {book, instants}: GraphContext,
  branch: number,
  at: Instant,
  prepared: MergeMatterOfBranch,
): boolean {
  const base = book.baseOf(branch);
  if (base === undefined || base.since > prepared.at || book.headOf(branch) > prepared.at) return false;
  const [before, now] = [prepared.at, at].map(until => book.lineage(base.parent, until).branch);
  return instants.keyOf(before!) === instants.keyOf(now!);
}

/**
 * What was weighed for a merge or rebase of a branch that has stood since, as it is now: only objects of the branch's that
 * its origin has touched since are compared again. For a merge what was weighed itself, when nothing of that matters to it.
 */
export function* movedMatter(
  context: GraphContext,
  branch: number,
  at: Instant,
  prepared: MergeMatterOfBranch,
  isMerge: boolean,
): Work<MergeMatterOfBranch> {
  const {book} = context;
  const base = must(book.baseOf(branch), 'a branch that stands on another');
  const before = book.lineage(base.parent, prepared.at).branch;
  const origin = book.lineage(base.parent, at);
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
  const ours = new Map(prepared.branch.filter(({id}) => ids.has(id)).map(change => [change.id, change]));
  const known = prepared.origin.filter(({id}) => ids.has(id));
  if (isMerge && [...known, ...again].every(change => areApart(ours.get(change.id), change))) return prepared;
  return {...prepared, at, origin: [...prepared.origin.filter(({id}) => !ids.has(id)), ...again]};
}

/** True when two sides went on with an object and no value nor relationship of it concerns both: then each has its way. */
function areApart(ours: NodeChange | undefined, theirs: NodeChange): boolean {
  if (ours === undefined) return true;
  if (ours.action !== 'updated' || theirs.action !== 'updated') return false;
  const touched = new Set([
    ...ours.attributes.map(({name}) => name),
    ...ours.edges.map(({relationship}) => relationship),
  ]);
  const meets = (name: string) => touched.has(name);
  return !(
    theirs.attributes.some(({name}) => meets(name)) ||
    theirs.edges.some(({relationship}) => meets(relationship))
  );
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
