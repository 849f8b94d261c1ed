import type {EventFilter} from '../domain/event/event-filter.ts';
import type {EventPlace} from '../domain/event/event-place.ts';
import type {GraphEvent} from '../domain/event/graph-event.ts';
import type {GuardedChange} from '../domain/event/guarded-change.ts';
import type {Instant} from '../domain/time/instant.ts';

export interface EventsRequest {
  /** Begins behind this place; at the end of the log that the reading comes from when absent. */
  readonly from?: EventPlace;
  /** The last commit that is read. */
  readonly until?: Instant;
  readonly newestFirst?: boolean;
  /** Only these; the log may use it to look at less. */
  readonly filter?: EventFilter;
}

/** A stretch of the log. It may be empty where there is more: a read does a bounded amount of work. */
export interface EventsRead {
  readonly events: readonly GraphEvent[];
  /** What the commits that were read have changed in what others may do. */
  readonly guarded: readonly GuardedChange[];
  /** Everything up to here has been read; the next read begins from it. */
  readonly reached: EventPlace;
  readonly isEnd: boolean;
}

/**
 * What has happened, in the order in which it was committed.
 *
 * The log is the commit log: an event is there from the moment its commit is acknowledged, survives what the commit
 * survives, and is told the same way for ever; no write that fails or changes nothing has one. Whatever was told of a
 * branch that is deleted goes with it, except what it did to data that all branches share.
 */
export interface EventLog {
  /** Every commit up to it can be read, and no other will ever appear before it. */
  eventsUntil(): Promise<Instant>;
  events(request: EventsRequest): Promise<EventsRead>;
  /**
   * Calls back soon after commits were acknowledged, here or elsewhere. A hint: one call may stand for many commits.
   * The answer ends it.
   */
  onCommits(listener: () => void): () => void;
}
