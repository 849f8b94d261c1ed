import type {Admission} from '../../app/access/identify.ts';
import type {EventFeed} from '../../app/event/event-feed.ts';
import type {GuardedChange} from '../../domain/event/guarded-change.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Clock} from '../../ports/clock.ts';
import {CLOSE} from './close-codes.ts';
import type {GraphqlSocket, SocketBook} from './graphql-socket.ts';
import type {SocketLimits} from './limits.ts';

const SWEEP_MILLIS = 1_000;
const STOP_MILLIS_MAX = 1_000;

/** All open sockets: who they belong to, and what must end them. */
export class Sockets implements SocketBook {
  readonly #feed: EventFeed;
  readonly #clock: Clock;
  readonly #limits: SocketLimits;
  readonly #all = new Set<GraphqlSocket>();
  readonly #byGround = new Map<NodeId, Set<GraphqlSocket>>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #pinger: NodeJS.Timeout;
  #stopGuarding: (() => void) | undefined;
  #isClosed = false;

  constructor(feed: EventFeed, clock: Clock, limits: SocketLimits) {
    this.#feed = feed;
    this.#clock = clock;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MILLIS);
    this.#pinger = setInterval(() => this.#keepAlive(), limits.keepAliveSeconds * 1000);
    this.#sweeper.unref();
    this.#pinger.unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get size(): number {
    return this.#all.size;
  }

  opened(socket: GraphqlSocket): void {
    this.#all.add(socket);
    this.#stopGuarding ??= this.#feed.guard(changes => this.#guarded(changes));
    setTimeout(() => socket.expectInit(), this.#limits.initSeconds * 1000).unref();
  }

  admitted(socket: GraphqlSocket, {caller, standsOn}: Admission): 'welcome' | 'too many' {
    const own = caller.account === null ? undefined : this.#byGround.get(caller.account);
    if ((own?.size ?? 0) >= this.#limits.socketsPerAccountMax) return 'too many';
    for (const id of standsOn) {
      const there = this.#byGround.get(id);
      if (there === undefined) this.#byGround.set(id, new Set([socket]));
      else there.add(socket);
    }
    return 'welcome';
  }

  closed(socket: GraphqlSocket): void {
    this.#all.delete(socket);
    for (const id of socket.admission?.standsOn ?? []) {
      const there = this.#byGround.get(id);
      there?.delete(socket);
      if (there?.size === 0) this.#byGround.delete(id);
    }
    if (this.#all.size > 0) return;
    this.#stopGuarding?.();
    this.#stopGuarding = undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    clearInterval(this.#pinger);
    for (const socket of this.#all) socket.close(CLOSE.goingAway, 'The service is stopping', STOP_MILLIS_MAX);
  }

  async #guarded(changes: readonly GuardedChange[]): Promise<void> {
    const concerned = new Set<GraphqlSocket>();
    for (const change of changes) {
      const sockets = change.is === 'any' ? this.#all : this.#byGround.get(change.id);
      for (const socket of sockets ?? []) concerned.add(socket);
    }
    await Promise.all(Array.from(concerned, socket => socket.recheck()));
  }

  #sweep(): void {
    if (this.#all.size === 0) return;
    const nowMicros = this.#clock.nowMicros();
    const nowMillis = performance.now();
    for (const socket of this.#all) socket.sweep(nowMicros, nowMillis);
  }

  #keepAlive(): void {
    for (const socket of this.#all) socket.keepAlive();
  }
}
