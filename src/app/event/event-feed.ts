import {comparePlaces, type EventPlace, placeAfter} from '../../domain/event/event-place.ts';
import {eventWeight} from '../../domain/event/event-weight.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {GuardedChange} from '../../domain/event/guarded-change.ts';
import type {EventLog} from '../../ports/event-log.ts';
import type {Log} from '../../ports/log.ts';
import {Following} from './following.ts';

const TAIL_EVENTS_MAX = 10_000;
const TAIL_WEIGHT_MAX = 33_554_432;
const KEPT_SHARE = 0.8;
const RETRY_MILLIS = 1_000;
const GATHER_MILLIS_MAX = 20;
const USERS_PER_MILLI = 60;

/** Hears what has changed in what others may do; nothing more is told before it has acted on it. */
export type Guard = (changes: readonly GuardedChange[]) => Promise<void>;

/**
 * The newest events, read from the log once for all who follow them. Those who fall behind read the log themselves, so
 * that a slow follower costs no memory and loses nothing.
 */
export class EventFeed {
  readonly #log: EventLog;
  readonly #faults: Log;
  readonly #tail: GraphEvent[] = [];
  readonly #guards = new Set<Guard>();
  /** How many events were read from the log so far. */
  eventsRead = 0;
  #users = 0;
  /** Of the tail. */
  #weight = 0;
  /** The number of the first event of the tail, counted since the feed began. */
  #first = 0;
  /** The tail has all after it, up to where the log has been read. */
  #start: EventPlace | undefined;
  #reached: EventPlace | undefined;
  #stopListening: (() => void) | undefined;
  #reading: Promise<void> | undefined;
  #hasNews = false;
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(log: EventLog, faults: Log) {
    this.#log = log;
    this.#faults = faults;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything after a place; everything from now on when absent. */
  async follow(since: EventPlace | undefined): Promise<Following> {
    const from = since ?? placeAfter(await this.#log.eventsUntil());
    this.#use();
    return new Following(this, this.#log, from, () => this.#leave());
  }

  /** Tells of every commit that changes what somebody may do. The answer ends it. */
  guard(listener: Guard): () => void {
    this.#use();
    this.#guards.add(listener);
    return () => {
      if (this.#guards.delete(listener)) this.#leave();
    };
  }

  /** Calls back once, with the next events or when there will be none any more. The answer takes it back. */
  whenMore(call: () => void): () => void {
    this.#waiting.add(call);
    return () => void this.#waiting.delete(call);
  }

  /** The number of the first event behind a place; undefined when the tail no longer reaches back that far. */
  numberAfter(place: EventPlace): number | undefined {
    if (this.#start === undefined || comparePlaces(place, this.#start) < 0) return undefined;
    let [low, high] = [0, this.#tail.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comparePlaces(this.#tail[middle]!.place, place) <= 0) low = middle + 1;
      else high = middle;
    }
    return this.#first + low;
  }

  /** Some events from a number on; undefined when the tail has let them go. */
  from(number: number, countMax: number): readonly GraphEvent[] | undefined {
    const index = number - this.#first;
    return index < 0 ? undefined : this.#tail.slice(index, index + countMax);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening?.();
    this.#callWaiting();
    await this.#reading;
  }

  #use(): void {
    this.#users += 1;
    if (this.#stopListening !== undefined) return;
    this.#stopListening = this.#log.onCommits(() => this.#wake());
    this.#wake();
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#first += this.#tail.length;
    this.#tail.length = 0;
    this.#weight = 0;
    this.#start = undefined;
    this.#reached = undefined;
  }

  #wake(): void {
    this.#hasNews = true;
    if (this.#reading !== undefined || this.#isClosed) return;
    this.#reading = this.#readNews()
      .catch((error: unknown) => {
        this.#faults.error('the event log could not be read', {error});
        setTimeout(() => this.#wake(), RETRY_MILLIS).unref();
      })
      .finally(() => {
        this.#reading = undefined;
        if (this.#hasNews && !this.#isClosed && this.#stopListening !== undefined) this.#wake();
      });
  }

  async #readNews(): Promise<void> {
    await this.#rest();
    this.#hasNews = false;
    if (this.#start === undefined) {
      this.#start = placeAfter(await this.#log.eventsUntil());
      this.#reached = this.#start;
    }
    let isEnd = false;
    while (!isEnd && this.#reached !== undefined && !this.#isClosed) {
      const read = await this.#log.events({from: this.#reached});
      if (this.#reached === undefined) return;
      // Whoever may see less from here on does so before anything more is told.
      if (read.guarded.length > 0) await Promise.all(Array.from(this.#guards, guard => guard(read.guarded)));
      if (this.#reached === undefined) return;
      this.#reached = read.reached;
      this.#add(read.events);
      isEnd = read.isEnd;
    }
  }

  /**
   * The writers of a commit are answered before it is told of. Where many listen, news is gathered for a moment: most of
   * what it costs to tell somebody something does not depend on how much it is.
   */
  #rest(): Promise<void> {
    const millis = Math.min(GATHER_MILLIS_MAX, Math.floor(this.#users / USERS_PER_MILLI));
    return new Promise(resolve => (millis === 0 ? setImmediate(resolve) : setTimeout(resolve, millis)));
  }

  #add(events: readonly GraphEvent[]): void {
    if (events.length === 0) return;
    this.eventsRead += events.length;
    for (const event of events) {
      this.#tail.push(event);
      this.#weight += eventWeight(event);
    }
    if (this.#tail.length > TAIL_EVENTS_MAX || this.#weight > TAIL_WEIGHT_MAX) this.#letGo();
    this.#callWaiting();
  }

  /** A good part at once, so that it is seldom. */
  #letGo(): void {
    let [count, weight] = [0, this.#weight];
    while (
      this.#tail.length - count > TAIL_EVENTS_MAX * KEPT_SHARE ||
      weight > TAIL_WEIGHT_MAX * KEPT_SHARE
    ) {
      weight -= eventWeight(this.#tail[count]!);
      count += 1;
    }
    const gone = this.#tail.splice(0, count);
    this.#weight = weight;
    this.#first += count;
    this.#start = gone.at(-1)!.place;
  }

  #callWaiting(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) call();
  }
}
