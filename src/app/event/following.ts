import {comparePlaces, type EventPlace} from '../../domain/event/event-place.ts';
import {lightest} from '../../domain/event/event-weight.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {EventLog} from '../../ports/event-log.ts';

const EVENTS_PER_STEP = 256;
/** What a reader is given at once weighs no more, unless a single event does. */
const STEP_WEIGHT_MAX = 262_144;

/** The part of a feed that one who follows it looks at. */
interface Tail {
  readonly isClosed: boolean;
  whenMore(call: () => void): () => void;
  numberAfter(place: EventPlace): number | undefined;
  from(number: number, countMax: number): readonly GraphEvent[] | undefined;
}

/** One reader of all events behind a place, in order, each once. It holds a place and nothing else. */
export class Following {
  readonly #tail: Tail;
  readonly #log: EventLog;
  readonly #onClose: () => void;
  #place: EventPlace;
  #number: number | undefined;
  #rest: readonly GraphEvent[] = [];
  #stopWaiting: (() => void) | undefined;
  #isClosed = false;

  constructor(tail: Tail, log: EventLog, from: EventPlace, onClose: () => void) {
    this.#tail = tail;
    this.#log = log;
    this.#place = from;
    this.#onClose = onClose;
  }

  /** Some more events, once there are some; none when it is over. */
  async next(): Promise<readonly GraphEvent[]> {
    while (!this.#isClosed && !this.#tail.isClosed) {
      const events = this.#fromRest() ?? this.#fromTail() ?? (await this.#fromLog());
      if (events.length > 0) return events;
      if (this.#number !== undefined) await this.#more();
    }
    return [];
  }

  /** Nothing may come between a look at the tail and this. */
  #more(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    const takeBack = this.#tail.whenMore(resolve);
    this.#stopWaiting = () => {
      takeBack();
      resolve();
    };
    return promise;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWaiting?.();
    this.#onClose();
  }

  /** Undefined when the tail does not reach back to here. */
  #fromTail(): readonly GraphEvent[] | undefined {
    this.#number ??= this.#tail.numberAfter(this.#place);
    for (;;) {
      const all = this.#number === undefined ? undefined : this.#tail.from(this.#number, EVENTS_PER_STEP);
      const events = all && lightest(all, STEP_WEIGHT_MAX);
      const last = events?.at(-1);
      if (this.#number === undefined || events === undefined) {
        this.#number = undefined;
        return undefined;
      }
      if (last === undefined) return [];
      this.#number += events.length;
      // The log may have been read further than the tail was when this reader joined it.
      const fresh = events.filter(event => comparePlaces(event.place, this.#place) > 0);
      if (fresh.length === 0) continue;
      this.#place = last.place;
      return fresh;
    }
  }

  /** What is left of the last reading of the log. */
  #fromRest(): readonly GraphEvent[] | undefined {
    if (this.#rest.length === 0) return undefined;
    const events = lightest(this.#rest, STEP_WEIGHT_MAX);
    this.#rest = this.#rest.slice(events.length);
    return events;
  }

  async #fromLog(): Promise<readonly GraphEvent[]> {
    const {events, reached, isEnd} = await this.#log.events({from: this.#place});
    this.#place = reached;
    this.#rest = events;
    // The feed may not have begun to read yet.
    if (isEnd && events.length === 0 && this.#tail.numberAfter(reached) === undefined) await tick();
    return this.#fromRest() ?? [];
  }
}

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
