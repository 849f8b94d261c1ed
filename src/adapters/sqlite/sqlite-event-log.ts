import type {Instant} from '../../domain/time/instant.ts';
import type {EventLog, EventsRead, EventsRequest} from '../../ports/event-log.ts';
import {eventsWeight, readEvents} from '../sql/event-log.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Work} from '../sql/statement.ts';
import type {HeavyQuestion} from './heavy-question.ts';

/** Touched objects and edges that are told of on the main thread: about a millisecond's work. */
const WEIGHT_MAX = 24;

interface Parts {
  readonly context: GraphContext;
  readonly committed: () => Instant;
  readonly read: <T>(work: Work<T>) => T;
  readonly ask: (question: HeavyQuestion) => Promise<unknown>;
}

/** The commit log of one file, told as events. Small news is read at once, long stretches on a worker thread. */
export class SqliteEventLog implements EventLog {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async eventsUntil(): Promise<Instant> {
    return this.#parts.committed();
  }

  async events(request: EventsRequest): Promise<EventsRead> {
    const {context, committed, read, ask} = this.#parts;
    const head = committed();
    const isNews = request.from !== undefined && request.newestFirst !== true;
    if (isNews && read(eventsWeight(request, head)) <= WEIGHT_MAX) {
      return read(readEvents(context, request, head));
    }
    return (await ask({is: 'events', request, head})) as EventsRead;
  }

  onCommits(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** To be called when commits are durable and published. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
