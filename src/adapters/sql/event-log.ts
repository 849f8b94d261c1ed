import {PLACES_PER_NODE} from '../../domain/event/commit-events.ts';
import {wantedEvent} from '../../domain/event/event-filter.ts';
import {comparePlaces, type EventPlace, ORDINAL_MAX, placeAfter} from '../../domain/event/event-place.ts';
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

/** Reads a stretch of the log up to `head`, the last commit that may be told of. */
export function* readEvents(context: GraphContext, request: EventsRequest, head: Instant): Work<EventsRead> {
  const {from, newestFirst = false, filter = {}} = request;
  const rows = yield* commitRows(request, head);
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
      const size = Math.min(left, end - start);
      const [first, last] = newestFirst ? [end - size, end] : [start, start + size];
      const told = yield* tellUnits(context, commit, first, last);
      const wanted = told.events
        .filter(event => isBehind(event.place, from, newestFirst))
        .flatMap(event => wantedEvent(event, filter) ?? []);
      events.push(...(newestFirst ? wanted.toReversed() : wanted));
      guarded.push(...told.guarded);
      left -= size;
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

function* commitRows(request: EventsRequest, head: Instant): Work<readonly Row[]> {
  const {from, until, newestFirst = false, filter} = request;
  const parameters = new Parameters();
  const bounds = newestFirst
    ? [until ?? 0, Math.min(lastOf(from), head)]
    : [firstOf(from), Math.min(until ?? FOREVER, head)];
  const [least, most] = bounds.map(bound => parameters.bind(bound));
  const author = filter?.account === undefined ? '' : ` AND author = ${parameters.bind(filter.account)}`;
  return yield read(
    `SELECT ${COMMIT_COLUMNS} FROM commits WHERE ts >= ${least} AND ts <= ${most}${author}
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
