import type {Awaitable} from '../../base/awaitable.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';

/** Which instants are over, and which the next commit may have. Time never goes back, whatever the clock does. */
export class CommitInstants {
  readonly #clock: Clock;
  /** The last instant given out or told. */
  #last: number;
  #committed: Instant;

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
    this.#last = Math.max(this.#clock.nowMicros(), this.#last);
    return this.#last as Instant;
  }

  next(): Instant {
    this.#last = Math.max(this.#clock.nowMicros(), this.#last + 1);
    return this.#last as Instant;
  }

  /** Another process has committed or told an instant: the next one here comes after it. */
  reach(instant: Instant): void {
    this.#last = Math.max(this.#last, instant);
  }

  publish(commit: Instant): void {
    this.#committed = commit;
  }

  /**
   * What is answered for an instant stays so: commits under way that may fall before it are waited for, and no later
   * one may. The future is not known yet: it reads as now.
   */
  fixed(at: Instant | undefined, underway: Promise<void> | undefined): Awaitable<Instant> {
    if (at === undefined) return this.#committed;
    if (at <= this.#committed) return at;
    const until = Math.min(at, this.now()) as Instant;
    return underway === undefined ? until : underway.then(() => until);
  }
}
