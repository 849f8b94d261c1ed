import {unreachable} from '../../base/assert.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {EventsRequest} from '../../ports/event-log.ts';
import type {ThreeWay} from '../../ports/graph-store.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {diffOf, threeWayOf} from '../sql/branch-diff.ts';
import {readEvents} from '../sql/event-log.ts';
import {matterOf} from '../sql/fork-moves.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Work} from '../sql/statement.ts';
import {read} from '../sql/statement.ts';
import {clashesOf} from '../sql/unique-clashes.ts';
import {type PackedChanges, packChanges, unpackChanges} from './change-codec.ts';
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

/** An answer as it travels between threads: changes packed, other small objects as text. */
export function packAnswer({is}: HeavyQuestion, answer: unknown): unknown {
  switch (is) {
    case 'diff':
      return packChanges(answer as readonly NodeChange[]);
    case 'threeWay':
      return packThreeWay(answer as ThreeWay);
    case 'matter':
      return packMatter(answer as MergeMatterOfBranch);
    case 'clashes':
      return JSON.stringify(answer);
    default:
      return answer;
  }
}

export async function unpackAnswer({is}: HeavyQuestion, packed: unknown): Promise<unknown> {
  switch (is) {
    case 'diff':
      return unpackChanges(packed as PackedChanges);
    case 'threeWay':
      return unpackThreeWay(packed as PackedThreeWay);
    case 'matter':
      return unpackMatter(packed as PackedMatter);
    case 'clashes':
      return JSON.parse(packed as string);
    default:
      return packed;
  }
}

type PackedThreeWay = Readonly<Record<keyof ThreeWay, PackedChanges>>;

interface PackedMatter {
  readonly sides: PackedThreeWay;
  /** The text of what else there is. */
  readonly rest: string;
}

type Rest = Omit<MergeMatterOfBranch, keyof ThreeWay | 'choices'>;

const packThreeWay = ({branch, origin}: ThreeWay): PackedThreeWay => ({
  branch: packChanges(branch),
  origin: packChanges(origin),
});

const unpackThreeWay = async ({branch, origin}: PackedThreeWay): Promise<ThreeWay> => ({
  branch: await unpackChanges(branch),
  origin: await unpackChanges(origin),
});

function packMatter({branch, origin, choices, ...rest}: MergeMatterOfBranch): PackedMatter {
  const entries: readonly (readonly [string, Choice])[] = [...choices];
  return {sides: packThreeWay({branch, origin}), rest: JSON.stringify([rest, entries])};
}

async function unpackMatter({sides, rest}: PackedMatter): Promise<MergeMatterOfBranch> {
  const [matter, entries] = JSON.parse(rest) as readonly [Rest, readonly (readonly [string, Choice])[]];
  return {...matter, ...(await unpackThreeWay(sides)), choices: new Map(entries)};
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
