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
import {touchedBetween} from './touched.ts';

function* readerOf(context: GraphContext, lineage: Lineage): Work<Reader> {
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
  const touched = yield* touchedBetween(branch, from ?? base!.since, to);
  const before = from === undefined ? book.lineage(base!.parent, base!.fork) : book.lineage(branch, from);
  const after = yield* readerOf(context, book.lineage(branch, to));
  return yield* changesBetween(yield* readerOf(context, before), after, touched);
}

/** What the branch did since its fork, and what its origin did meanwhile to the same objects and edges. */
export function* threeWayOf(context: GraphContext, branch: number, at: Instant): Work<ThreeWay> {
  const {book} = context;
  const base = book.baseOf(branch);
  if (base === undefined) throw validationError('The default branch has no origin to merge into');
  const touched = yield* touchedBetween(branch, base.since, at);
  const fork = yield* readerOf(context, book.lineage(base.parent, base.fork));
  const own = yield* readerOf(context, book.lineage(branch, at));
  const origin = yield* readerOf(context, book.lineage(base.parent, at));
  return {
    branch: yield* changesBetween(fork, own, touched),
    origin: yield* changesBetween(fork, origin, touched),
  };
}
