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
import {stretchesBetween, touchedAmong, touchedIn} from './touched.ts';

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

/** What the branch did since its fork, and what its origin did meanwhile to the objects that the branch changed. */
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
  const changed = new Set(changes.keys());
  const meanwhile = yield* touchedIn(stretchesBetween(fork.branch, origin.branch));
  const theirs = yield* changesBetween(
    before,
    yield* readerOf(context, origin),
    touchedAmong(meanwhile, changed),
  );
  return {
    branch: [...changes.values()],
    origin: [...theirs].filter(([serial]) => changed.has(serial)).map(([, change]) => change),
  };
}
