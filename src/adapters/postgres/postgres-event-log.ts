import type {Instant} from '../../domain/time/instant.ts';
import type {EventLog, EventsRead, EventsRequest} from '../../ports/event-log.ts';
import {readEvents} from '../sql/event-log.ts';
import type {Reading} from './reading.ts';

/** The commit log of the database, told as events to whoever follows it on this server. */
export class PostgresEventLog implements EventLog {
  readonly #reading: Reading;
  readonly #listeners = new Set<() => void>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async eventsUntil(): Promise<Instant> {
    return this.#reading.committed;
  }

  events(request: EventsRequest): Promise<EventsRead> {
    const {context, committed} = this.#reading;
    return this.#reading.read(() => readEvents(context, request, committed));
  }

  onCommits(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** To be called when commits of any server are known here. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
