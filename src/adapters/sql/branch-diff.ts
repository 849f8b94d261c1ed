import type {NodeChange} from '../../domain/diff/change.ts';
import {validationError} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {ThreeWay} from '../../ports/graph-store.ts';
import {changesBetween} from './changes.ts';
import type {GraphContext} from './graph-view.ts';
import {layoutOf} from './graph-view.ts';
import type {Lineage} from './lineage.ts';
import {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import {stretchesBetween, touchedAmong, touchedIn, touchedSince} from './touched.ts';

export function* readerOf(context: GraphContext, lineage: Lineage): Work<Reader> {
  return new Reader(lineage, yield* layoutOf(context, lineage), context.dialect, context.cache);
}

/** The changes of a branch since its fork, or between two instants of it. Only the change log is walked. */
export function* diffOf(
  context: GraphContext,
  branch: number,
  from: Instant | undefined,
  to: Instant,
): Work<readonly NodeChange[]> {
  const {book} = context;
  const base = book.basesOf(branch).findLast(item => item.since <= to);
  if (from === undefined && base === undefined) {
    throw validationError('The default branch has no origin to compare with; name the instant to start from');
  }
  if (from !== undefined && from > to) throw validationError('The diff must end after it starts');
  const before = from === undefined ? book.lineage(base!.parent, base!.fork) : book.lineage(branch, from);
  const after = book.lineage(branch, to);
  const touched = yield* touchedIn(stretchesBetween(before.branch, after.branch));
  const changes = yield* changesBetween(
    yield* readerOf(context, before),
    yield* readerOf(context, after),
    touched,
  );
  return [...changes.values()];
}

/**
 * What the branch did since its fork, and what its origin did meanwhile to the objects that the branch has had a word
 * on. A word that came to nothing counts too: the branch's own version would hide what the origin did.
 */
export function* threeWayOf(context: GraphContext, branch: number, at: Instant): Work<ThreeWay> {
  const {book} = context;
  const base = book.baseOf(branch);
  if (base === undefined) throw validationError('The default branch has no origin to merge into');
  const fork = book.lineage(base.parent, base.fork);
  const own = book.lineage(branch, at);
  const origin = book.lineage(base.parent, at);
  const before = yield* readerOf(context, fork);
  const changes = yield* changesBetween(
    before,
    yield* readerOf(context, own),
    yield* touchedIn(stretchesBetween(fork.branch, own.branch)),
  );
  const told = yield* toldBy(context, branch);
  const meanwhile = yield* touchedIn(stretchesBetween(fork.branch, origin.branch));
  const theirs = yield* changesBetween(
    before,
    yield* readerOf(context, origin),
    touchedAmong(meanwhile, told),
  );
  return {
    branch: [...changes.values()],
    origin: [...theirs].filter(([serial]) => told.has(serial)).map(([, change]) => change),
  };
}

/** The objects that a branch may have a version or an edge of its own of. */
export function* toldBy({book}: GraphContext, branch: number): Work<ReadonlySet<number>> {
  const {nodes, edges} = yield* touchedSince(branch, book.settledAt(branch));
  const told = new Set(nodes);
  for (const [source, , target] of edges) told.add(source).add(target);
  return told;
}
