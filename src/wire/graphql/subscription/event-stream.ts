import {type ExecutionResult, execute, Kind} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import type {Following} from '../../../app/event/following.ts';
import {BoundedMap} from '../../../base/bounded-map.ts';
import {FULL_ACCESS} from '../../../domain/access/access.ts';
import {type EventFilter, wantedEvent} from '../../../domain/event/event-filter.ts';
import type {GraphEvent} from '../../../domain/event/graph-event.ts';
import {type ErrorSink, errorJson} from '../errors.ts';
import {seenBy} from '../event/event-query.ts';
import {plainResolver} from '../plain/plain-resolver.ts';
import type {Running} from '../running.ts';
import {type Stream, type Yield, yieldOf} from './stream.ts';

type Written = string | undefined | Promise<string | undefined>;

const EVENTS_KEPT_MAX = 256;
const KEPT_CHARACTERS_MAX = 16_384;
const YIELDS_KEPT_MAX = 4;

/** Writes events as one kind of subscriber asked for them. Those who asked the same share what is written. */
class EventWriter {
  readonly #running: Running;
  readonly #filter: EventFilter;
  readonly #sink: ErrorSink;
  readonly #written = new BoundedMap<GraphEvent, Written>(EVENTS_KEPT_MAX);
  readonly #yields: {readonly events: readonly GraphEvent[]; readonly made: Promise<Yield>}[] = [];

  constructor(running: Running, filter: EventFilter, sink: ErrorSink) {
    this.#running = running;
    this.#filter = filter;
    this.#sink = sink;
  }

  /** What is to be seen of some events in a row. */
  write(events: readonly GraphEvent[]): Promise<Yield> {
    const [first, last] = [events[0], events.at(-1)];
    const known = this.#yields.find(
      ({events: own}) => own[0] === first && own.at(-1) === last && own.length === events.length,
    );
    if (known !== undefined) return known.made;
    const made = this.#writeAll(events);
    this.#yields.push({events, made});
    if (this.#yields.length > YIELDS_KEPT_MAX) this.#yields.shift();
    return made;
  }

  async #writeAll(events: readonly GraphEvent[]): Promise<Yield> {
    const bodies: string[] = [];
    for (const event of events) {
      const written = this.#write(event);
      const body = written instanceof Promise ? await written : written;
      if (body !== undefined) bodies.push(body);
    }
    return yieldOf(bodies);
  }

  /** Undefined when the event is not wanted or may not be seen. */
  #write(event: GraphEvent): Written {
    if (this.#written.has(event)) return this.#written.get(event);
    const wanted = wantedEvent(event, this.#filter);
    const seen = wanted === undefined ? undefined : seenBy(wanted, this.#running.context);
    const text = seen === undefined ? undefined : this.#text(seen);
    if (typeof text !== 'string' || text.length <= KEPT_CHARACTERS_MAX) this.#written.set(event, text);
    return text;
  }

  #text(event: GraphEvent): Written {
    const {face, valid, operation, given, context} = this.#running;
    const result = execute({
      schema: face.graphql,
      document: {kind: Kind.DOCUMENT, definitions: [operation, ...valid.fragments.values()]},
      rootValue: {event},
      contextValue: context,
      variableValues: given,
      fieldResolver: plainResolver as never,
    });
    return result instanceof Promise
      ? result.then(each => this.#body(each))
      : this.#body(result as ExecutionResult);
  }

  #body({data, errors}: ExecutionResult): string {
    if (errors === undefined) return JSON.stringify({data});
    return JSON.stringify({data, errors: errors.map(error => errorJson(error, this.#sink))});
  }
}

const WRITERS_MAX = 500;

/** The writers in use, by all that makes a difference to what they write. */
export class EventWriters {
  readonly #writers = new BoundedMap<string, EventWriter>(WRITERS_MAX);
  readonly #accesses = new WeakMap<object, number>();
  #lastAccess = 0;

  of(running: Running, filter: EventFilter, query: string, sink: ErrorSink): EventWriter {
    const {caller, branch, schema} = running.context;
    const account = caller.access === FULL_ACCESS ? '' : caller.account;
    const key = JSON.stringify([
      schema.hash,
      query,
      running.operation.name?.value,
      running.given,
      branch,
      this.#numberOf(caller.access),
      account,
    ]);
    const known = this.#writers.get(key) ?? new EventWriter(running, filter, sink);
    this.#writers.set(key, known);
    return known;
  }

  #numberOf(access: object): number {
    const known = this.#accesses.get(access);
    if (known !== undefined) return known;
    this.#lastAccess += 1;
    this.#accesses.set(access, this.#lastAccess);
    return this.#lastAccess;
  }
}

/** The events that one subscriber asked for. It ends with its branch. */
export class EventStream implements Stream {
  readonly #following: Following;
  readonly #writerFor: (caller: Caller) => EventWriter;
  readonly #branch: string;
  #writer: EventWriter;
  #isOver = false;

  constructor(
    following: Following,
    writerFor: (caller: Caller) => EventWriter,
    {caller, branch}: Running['context'],
  ) {
    this.#following = following;
    this.#writerFor = writerFor;
    this.#writer = writerFor(caller);
    this.#branch = branch;
  }

  async next(): Promise<Yield | undefined> {
    while (!this.#isOver) {
      const events = await this.#following.next();
      if (events.length === 0) return undefined;
      const made = await this.#writer.write(events);
      this.#isOver = events.some(event => endsBranch(event, this.#branch));
      if (made.bodies.length > 0) return made;
    }
    return undefined;
  }

  allow(caller: Caller): void {
    this.#writer = this.#writerFor(caller);
  }

  close(): void {
    this.#following.close();
  }
}

const endsBranch = ({type, detail}: GraphEvent, branch: string): boolean =>
  type === 'service.branch.deleted' && detail.is === 'branch' && detail.name === branch;
