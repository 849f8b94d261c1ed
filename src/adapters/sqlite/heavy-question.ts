import {unreachable} from '../../base/assert.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {EventsRequest} from '../../ports/event-log.ts';
import {diffOf, threeWayOf} from '../sql/branch-diff.ts';
import {readEvents} from '../sql/event-log.ts';
import {matterOf} from '../sql/fork-moves.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Work} from '../sql/statement.ts';
import {clashesOf} from '../sql/unique-clashes.ts';
import {verifyDatabase} from './verify-database.ts';

/** Questions whose answers grow with the data, as they travel to the thread that answers them. */
export type HeavyQuestion =
  | {
      readonly is: 'diff';
      readonly branch: number;
      readonly from: Instant | undefined;
      readonly to: Instant;
    }
  | {readonly is: 'threeWay' | 'matter' | 'clashes'; readonly branch: number; readonly at: Instant}
  | {readonly is: 'events'; readonly request: EventsRequest; readonly head: Instant}
  | {readonly is: 'verify'};

export function answerTo(context: GraphContext, question: HeavyQuestion): Work<unknown> {
  switch (question.is) {
    case 'diff':
      return diffOf(context, question.branch, question.from, question.to);
    case 'threeWay':
      return threeWayOf(context, question.branch, question.at);
    case 'matter':
      return matterOf(context, question.branch, question.at);
    case 'clashes':
      return clashesOf(context, question.branch, question.at);
    case 'events':
      return readEvents(context, question.request, question.head);
    case 'verify':
      return verifyDatabase(context);
    default:
      return unreachable(question);
  }
}
