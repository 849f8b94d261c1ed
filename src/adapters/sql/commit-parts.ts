import {must} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {type CommitFacts, nodeEvents, wholeEvents} from '../../domain/event/commit-events.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import {type GuardedChange, guardedChange} from '../../domain/event/guarded-change.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {readerOf} from './branch-diff.ts';
import type {CommitOperation} from './commit-log.ts';
import {committedNodes} from './committed-nodes.ts';
import type {GraphContext} from './graph-view.ts';
import type {Lineage} from './lineage.ts';
import type {Row, Work} from './statement.ts';
import {read} from './statement.ts';
import {parseTouched, stretchesBetween, type Touched, touchedBy, touchedIn} from './touched.ts';

/** Objects that a commit changed on one branch, and the two states that show how. */
interface Part {
  readonly facts: CommitFacts;
  readonly before: Lineage;
  readonly after: Lineage;
  readonly touched: Touched;
  readonly serials: readonly number[];
  readonly tells: 'all' | 'shared' | 'own';
}

/**
 * A commit as the event log sees it: units in a fixed order, the commit as a whole first and then one for each object.
 * A merge changes two branches: the one it goes into, and the one that it takes up to there.
 */
export interface OpenCommit {
  readonly facts: CommitFacts;
  readonly parts: readonly Part[];
  readonly units: number;
}

interface Told {
  readonly events: readonly GraphEvent[];
  readonly guarded: readonly GuardedChange[];
}

export const COMMIT_COLUMNS = 'ts, branch, op, author, touched';

export function* openCommit(context: GraphContext, row: Row): Work<OpenCommit> {
  const instant = row[0] as Instant;
  const operation = row[2] as CommitOperation;
  const touched = parseTouched(row[4] as string);
  const branch = touched.b ?? (row[1] as number);
  const common = {instant, author: row[3] as NodeId | null};
  if (operation === 'branch.created' || operation === 'branch.deleted') {
    const type = operation === 'branch.created' ? 'created' : 'deleted';
    const {id, name} = yield* branchIdentity(instant, type);
    const facts = {...common, branch: name, changesSchema: false, ofBranch: {type, id, name}} as const;
    return {facts, parts: [], units: 1};
  }
  const own = yield* branchIdentity(branch);
  const [before, after] = statesAround(context, own.isGone ? context.defaultBranch : branch, instant);
  const source = touched.m === undefined ? undefined : yield* branchIdentity(touched.m);
  const onto = touched.r === undefined ? undefined : yield* branchIdentity(touched.r);
  const facts: CommitFacts = {
    ...common,
    branch: own.name,
    changesSchema: touched.k.length > 0 || (touched.r !== undefined && movesSchema(context, before, after)),
    ...(source === undefined ? {} : {ofBranch: ofBranch('merged', source, own.name)}),
    ...(onto === undefined ? {} : {ofBranch: ofBranch('rebased', own, onto.name)}),
  };
  const ownTouched =
    touched.r === undefined
      ? touchedBy(touched, instant)
      : yield* touchedIn(stretchesBetween(before.branch, after.branch));
  const parts = [partOf(facts, before, after, ownTouched, own.isGone ? 'shared' : 'all')];
  if (touched.m !== undefined && source?.isGone === false) {
    const [was, is] = statesAround(context, touched.m, instant);
    const {name} = source;
    const came = yield* touchedIn(stretchesBetween(was.branch, is.branch));
    parts.push(partOf({...common, branch: name, changesSchema: false}, was, is, came, 'own'));
  }
  return {facts, parts, units: parts.reduce((sum, part) => sum + part.serials.length, 1)};
}

/** What a stretch of a commit's units tells; of objects, where some are named, of those alone. */
export function* tellUnits(
  context: GraphContext,
  commit: OpenCommit,
  [start, end]: readonly [start: number, end: number],
  only: ReadonlySet<number> | undefined,
): Work<Told> {
  const events: GraphEvent[] = start === 0 ? [...wholeEvents(commit.facts)] : [];
  const guarded: GuardedChange[] = [];
  let offset = 1;
  for (const part of commit.parts) {
    const first = Math.max(0, start - offset);
    const place = offset + first - 1;
    const units = part.serials
      .slice(first, Math.max(0, end - offset))
      .map((serial, index): Unit => ({serial, place: place + index}))
      .filter(({serial}) => only === undefined || only.has(serial));
    if (units.length > 0) {
      const told = yield* tellPart(context, part, units);
      events.push(...told.events);
      guarded.push(...told.guarded);
    }
    offset += part.serials.length;
  }
  return {events, guarded};
}

/** An object that a commit touched, and its place among all that it did. */
interface Unit {
  readonly serial: number;
  readonly place: number;
}

function* tellPart(context: GraphContext, part: Part, units: readonly Unit[]): Work<Told> {
  const before = yield* readerOf(context, part.before);
  const after = yield* readerOf(context, part.after);
  const serials = units.map(({serial}) => serial);
  const changes = yield* committedNodes(before, after, part.touched, serials);
  const events: GraphEvent[] = [];
  const guarded: GuardedChange[] = [];
  for (const {serial, place} of units) {
    const node = changes.get(serial);
    if (node === undefined || (part.tells !== 'all' && node.isShared !== (part.tells === 'shared'))) continue;
    events.push(...nodeEvents(part.facts, node, place));
    const change = guardedChange(node);
    if (change !== undefined) guarded.push(change);
  }
  return {events, guarded};
}

function partOf(
  facts: CommitFacts,
  before: Lineage,
  after: Lineage,
  touched: Touched,
  tells: Part['tells'],
): Part {
  const serials = new Set(touched.nodes.keys());
  for (const [[source, , target]] of touched.edges.values()) serials.add(source).add(target);
  return {facts, before, after, touched, serials: [...serials], tells};
}

const statesAround = (
  {book}: GraphContext,
  branch: number,
  instant: Instant,
): readonly [Lineage, Lineage] => [
  book.lineage(branch, (instant - 1) as Instant),
  book.lineage(branch, instant),
];

const movesSchema = ({instants}: GraphContext, before: Lineage, after: Lineage): boolean =>
  instants.keyOf(before.branch) !== instants.keyOf(after.branch);

interface BranchIdentity {
  readonly id: string;
  readonly name: BranchName;
  /** Its rows are being removed, or are. */
  readonly isGone: boolean;
}

/** Deleted branches keep their rows, so that what happened on them has a name. */
function* branchIdentity(serial: number, column: 'id' | 'created' | 'deleted' = 'id'): Work<BranchIdentity> {
  const [row] = yield read(`SELECT uuid, name, deleted FROM branch WHERE ${column} = ?1`, [serial]);
  const [id, name, deleted] = must(row, 'the branch of a commit');
  return {id: id as string, name: name as BranchName, isGone: deleted !== 0};
}

const ofBranch = (
  type: 'merged' | 'rebased',
  {id, name}: BranchIdentity,
  other: BranchName,
): NonNullable<CommitFacts['ofBranch']> => ({type, id, name, other});
