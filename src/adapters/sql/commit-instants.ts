import {assert} from '../../base/assert.ts';
import type {Awaitable} from '../../base/awaitable.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
import {InTheWay} from './job.ts';

const RECENT_MAX = 64;
/** How many instants are kept free before a commit that is under way for long, for others in case it is late. */
const MICROS_BEFORE_AHEAD = 5000;

/** A commit, the one before it, and the kinds of the objects that it touched; absent when it may be any. */
interface RecentCommit {
  readonly before: Instant;
  readonly at: Instant;
  readonly kinds: ReadonlySet<KindShape> | undefined;
}

/** Which instants are over, and which the next commit may have. Time never goes back, whatever the clock does. */
export class CommitInstants {
  readonly #clock: Clock;
  /** The last instant given out or told. */
  #last: number;
  #committed: Instant;
  readonly #recent: RecentCommit[] = [];
  /** The instant of a commit that is under way while others commit before it, and its end. */
  #ahead:
    | {readonly at: Instant; readonly micros: number; readonly over: PromiseWithResolvers<void>}
    | undefined;

  constructor(clock: Clock, committed: Instant) {
    this.#clock = clock;
    this.#last = committed;
    this.#committed = committed;
  }

  /** The last commit that is durable. */
  get committed(): Instant {
    return this.#committed;
  }

  /** An instant that was told is over: no later commit may fall on it. */
  now(): Instant {
    this.#last = Math.max(this.#clockNow(), this.#last);
    return this.#last as Instant;
  }

  /** Fails when there is no room left before a commit that is ahead, and late: then it is waited for. */
  next(): Instant {
    const next = Math.max(this.#clockNow(), this.#last + 1);
    if (this.#ahead !== undefined && next >= this.#ahead.at) throw new InTheWay();
    this.#last = next;
    return this.#last as Instant;
  }

  /**
   * An instant to come, for a commit that takes about so long: until `over`, all others fall before it. When it is
   * late, time stands still just before it.
   */
  ahead(micros: number): Instant {
    assert(this.#ahead === undefined, 'one commit at a time is under way while others commit');
    const span = MICROS_BEFORE_AHEAD + Math.ceil(micros);
    const at = (this.now() + span) as Instant;
    this.#ahead = {at, micros: span, over: Promise.withResolvers<void>()};
    return at;
  }

  /** The commit that was ahead is published or given up. */
  over(): void {
    this.#ahead?.over.resolve();
    this.#ahead = undefined;
  }

  /** Ends when no commit is under way for long. */
  async settled(): Promise<void> {
    await this.#ahead?.over.promise;
  }

  /** How long it is until the instant of the commit that is ahead, by a clock that may have been set back. */
  get microsUntilAhead(): number {
    if (this.#ahead === undefined) return 0;
    const {at, micros} = this.#ahead;
    return Math.min(micros, Math.max(0, at - this.#clock.nowMicros()));
  }

  #clockNow(): number {
    const now = this.#clock.nowMicros();
    return this.#ahead === undefined ? now : Math.min(now, this.#ahead.at - MICROS_BEFORE_AHEAD);
  }

  /** Another process has committed or told an instant: the next one here comes after it. */
  reach(instant: Instant): void {
    this.#last = Math.max(this.#last, instant);
  }

  /** `kinds` are those of all objects that the commit touched, edges included; left out where that is not known. */
  publish(commit: Instant, kinds?: ReadonlySet<KindShape>): void {
    this.#recent.push({before: this.#committed, at: commit, kinds});
    if (this.#recent.length > RECENT_MAX) this.#recent.shift();
    this.#committed = commit;
    this.#last = Math.max(this.#last, commit);
  }

  /** True when the commits that lead from one to another touched no kind that matters; false when that is not known. */
  spared(since: Instant, until: Instant, matters: (kind: KindShape) => boolean): boolean {
    let at = until;
    for (const commit of this.#recent.toReversed()) {
      if (at <= since) break;
      if (commit.at !== at) continue;
      if (commit.kinds === undefined || [...commit.kinds].some(matters)) return false;
      at = commit.before;
    }
    return at === since;
  }

  /**
   * What is answered for an instant stays so: commits under way that may fall before it are waited for, and no later
   * one may. The future is not known yet: it reads as now.
   */
  fixed(at: Instant | undefined, underway: Promise<void> | undefined): Awaitable<Instant> {
    if (at === undefined) return this.#committed;
    if (at <= this.#committed) return at;
    const ahead = this.#ahead;
    if (ahead !== undefined && Math.min(at, this.#clock.nowMicros()) >= ahead.at - MICROS_BEFORE_AHEAD)
      return ahead.over.promise.then(() => this.fixed(at, undefined));
    const until = Math.min(at, this.now()) as Instant;
    return underway === undefined ? until : underway.then(() => until);
  }
}
