import {unreachable} from '../../base/assert.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {EventsRequest} from '../../ports/event-log.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {diffOf, threeWayOf} from '../sql/branch-diff.ts';
import {readEvents} from '../sql/event-log.ts';
import {matterOf} from '../sql/fork-moves.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Work} from '../sql/statement.ts';
import {read} from '../sql/statement.ts';
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

const TOUCHES_AT_ONCE_MAX = 150;
const COMMITS_AT_ONCE_MAX = 150;
/** Commits that touched nothing count as well, since each is walked. */
const TOUCHES = `SELECT COALESCE(sum(touches), 0) FROM (SELECT 1 + nodes + edges + kinds AS touches FROM commits
  WHERE branch = ?1 AND ts > ?2 LIMIT ?3) AS some`;

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

/**
 * An answer as it travels between threads: thousands of small objects are written and read as text in half the time
 * that copying them takes.
 */
export function packAnswer({is}: HeavyQuestion, answer: unknown): unknown {
  switch (is) {
    case 'diff':
    case 'threeWay':
    case 'clashes':
      return JSON.stringify(answer);
    case 'matter': {
      const matter = answer as MergeMatterOfBranch;
      return JSON.stringify({...matter, choices: [...matter.choices]});
    }
    default:
      return answer;
  }
}

export function unpackAnswer({is}: HeavyQuestion, packed: unknown): unknown {
  switch (is) {
    case 'diff':
    case 'threeWay':
    case 'clashes':
      return JSON.parse(packed as string);
    case 'matter': {
      const {choices, ...matter} = JSON.parse(packed as string) as PackedMatter;
      return {...matter, choices: new Map(choices)};
    }
    default:
      return packed;
  }
}

interface PackedMatter extends Omit<MergeMatterOfBranch, 'choices'> {
  readonly choices: readonly (readonly [string, Choice])[];
}

/** True when answering takes longer than handing the question to a thread: the commits that it walks touched much. */
export function* isHeavy({book}: GraphContext, question: HeavyQuestion): Work<boolean> {
  if (question.is === 'events' || question.is === 'verify') return true;
  // Between two instants of a branch there may lie a rebase, and with it all that its origin did.
  if (question.is === 'diff' && question.from !== undefined) return true;
  const base = book.baseOf(question.branch);
  if (base === undefined) return true;
  const own = yield read(TOUCHES, [question.branch, book.settledAt(question.branch), COMMITS_AT_ONCE_MAX]);
  const origin =
    question.is === 'diff' ? [[0]] : yield read(TOUCHES, [base.parent, base.fork, COMMITS_AT_ONCE_MAX]);
  return Number(own[0]![0]) + Number(origin[0]![0]) > TOUCHES_AT_ONCE_MAX;
}
