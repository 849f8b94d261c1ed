import {PLACES_PER_NODE} from '../../domain/event/commit-events.ts';
import {wantedEvent} from '../../domain/event/event-filter.ts';
import {comparePlaces, type EventPlace, ORDINAL_MAX, placeAfter} from '../../domain/event/event-place.ts';
import {eventWeight} from '../../domain/event/event-weight.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {GuardedChange} from '../../domain/event/guarded-change.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {earliest, FOREVER} from '../../domain/time/instant.ts';
import type {EventsRead, EventsRequest} from '../../ports/event-log.ts';
import {COMMIT_COLUMNS, openCommit, tellUnits} from './commit-parts.ts';
import type {GraphContext} from './graph-view.ts';
import type {Row, Work} from './statement.ts';
import {Parameters, read} from './statement.ts';

const COMMITS_PER_READ = 128;
const UNITS_PER_READ = 500;
const UNITS_PER_STEP = 100;
/** Characters of values that count as much as an object. */
const WEIGHT_PER_UNIT = 4_096;

/** Reads a stretch of the log up to `head`, the last commit that may be told of. */
export function* readEvents(context: GraphContext, request: EventsRequest, head: Instant): Work<EventsRead> {
  const {from, newestFirst = false, filter = {}} = request;
  const only = filter.ids === undefined ? undefined : yield* namedNodes(context, filter.ids);
  const rows = yield* commitRows(context, request, head, only);
  const events: GraphEvent[] = [];
  const guarded: GuardedChange[] = [];
  let left = UNITS_PER_READ;
  for (const row of rows) {
    const instant = row[0] as Instant;
    const commit = yield* openCommit(context, row);
    const begun = from?.instant === instant ? Math.floor(from.ordinal / PLACES_PER_NODE) : undefined;
    let [start, end] = newestFirst
      ? [0, Math.min(commit.units, begun === undefined ? commit.units : begun + 1)]
      : [Math.min(begun ?? 0, commit.units), commit.units];
    while (start < end) {
      if (left <= 0) {
        const reached = newestFirst ? atUnit(instant, end) : beforeUnit(instant, start);
        return {events, guarded, reached, isEnd: false};
      }
      const size = Math.min(left, UNITS_PER_STEP, end - start);
      const [first, last] = newestFirst ? [end - size, end] : [start, start + size];
      const told = yield* tellUnits(context, commit, [first, last], only);
      const wanted = told.events
        .filter(event => isBehind(event.place, from, newestFirst))
        .flatMap(event => wantedEvent(event, filter) ?? []);
      events.push(...(newestFirst ? wanted.toReversed() : wanted));
      guarded.push(...told.guarded);
      left -= only === undefined ? size : Math.min(size, told.events.length + 1);
      left -= Math.floor(wanted.reduce((sum, event) => sum + eventWeight(event), 0) / WEIGHT_PER_UNIT);
      if (newestFirst) end = first;
      else start = last;
    }
  }
  const last = rows.at(-1)?.[0] as Instant | undefined;
  const isEnd = rows.length < COMMITS_PER_READ;
  const place = newestFirst
    ? atUnit(isEnd ? (request.until ?? (0 as Instant)) : last!, 0)
    : placeAfter(isEnd ? earliest(request.until ?? head, head) : last!);
  return {events, guarded, reached: place, isEnd};
}

const atUnit = (instant: Instant, unit: number): EventPlace => ({instant, ordinal: unit * PLACES_PER_NODE});

const beforeUnit = (instant: Instant, unit: number): EventPlace =>
  unit === 0 ? placeAfter((instant - 1) as Instant) : {instant, ordinal: unit * PLACES_PER_NODE - 1};

const isBehind = (place: EventPlace, from: EventPlace | undefined, newestFirst: boolean): boolean =>
  from === undefined || (newestFirst ? comparePlaces(place, from) < 0 : comparePlaces(place, from) > 0);

/** A commit that has been read to its end is not opened again: it may be large. */
const firstOf = (from: EventPlace | undefined): number =>
  from === undefined ? 0 : from.ordinal === ORDINAL_MAX ? from.instant + 1 : from.instant;

const lastOf = (from: EventPlace | undefined): number =>
  from === undefined ? FOREVER : from.ordinal === 0 ? from.instant - 1 : from.instant;

/** The objects of some ids; undefined when a branch is among them, which is in no row of an object. */
function* namedNodes(
  {dialect}: GraphContext,
  ids: ReadonlySet<string>,
): Work<ReadonlySet<number> | undefined> {
  const list = [JSON.stringify([...ids])];
  const branches = yield read(
    `SELECT 1 FROM ${dialect.texts('?1')} p CROSS JOIN branch b WHERE b.uuid = p.value LIMIT 1`,
    list,
  );
  if (branches.length > 0) return undefined;
  const nodes = yield read(
    `SELECT n.id FROM ${dialect.texts('?1')} p CROSS JOIN node n WHERE n.uuid = p.value`,
    list,
  );
  return new Set(nodes.map(([serial]) => serial as number));
}

/**
 * The commits that may tell of some objects: those that left a mark on their rows, and those that moved a fork, which
 * bring to a branch what was done elsewhere.
 */
function touching({dialect}: GraphContext, nodes: ReadonlySet<number>, parameters: Parameters): string {
  const list = dialect.integers(parameters.bind(JSON.stringify([...nodes])));
  const marks = (table: string, key: string, instant: string) =>
    `SELECT r.${instant} FROM ${list} p CROSS JOIN ${table} r WHERE r.${key} = p.value`;
  return `(${[
    marks('ver', 'node', 'f'),
    marks('ver', 'node', 't'),
    marks('edge', 'src', 'f'),
    marks('edgeh', 'src', 'f'),
    marks('edgeh', 'src', 't'),
    'SELECT since FROM branch_base',
  ].join(' UNION ')})`;
}

function* commitRows(
  context: GraphContext,
  request: EventsRequest,
  head: Instant,
  only: ReadonlySet<number> | undefined,
): Work<readonly Row[]> {
  const {from, until, newestFirst = false, filter} = request;
  const parameters = new Parameters();
  const bounds = newestFirst
    ? [until ?? 0, Math.min(lastOf(from), head)]
    : [firstOf(from), Math.min(until ?? FOREVER, head)];
  const [least, most] = bounds.map(bound => parameters.bind(bound));
  const author = filter?.account === undefined ? '' : ` AND author = ${parameters.bind(filter.account)}`;
  const among = only === undefined ? '' : ` AND ts IN ${touching(context, only, parameters)}`;
  return yield read(
    `SELECT ${COMMIT_COLUMNS} FROM commits WHERE ts >= ${least} AND ts <= ${most}${author}${among}
     ORDER BY ts ${newestFirst ? 'DESC' : 'ASC'} LIMIT ${COMMITS_PER_READ}`,
    parameters.values,
  );
}

const COMMITS_WEIGHED = 25;
const COMMIT_WEIGHT = 1;

/** About how much a read has to look at: the objects and edges of its first commits. */
export function* eventsWeight({from}: EventsRequest, head: Instant): Work<number> {
  const rows = yield read(
    `SELECT nodes + edges FROM commits WHERE ts >= ?1 AND ts <= ?2 ORDER BY ts LIMIT ${COMMITS_WEIGHED}`,
    [firstOf(from), head],
  );
  return rows.reduce((sum, [touched]) => sum + COMMIT_WEIGHT + (touched as number), 0);
}
