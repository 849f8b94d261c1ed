import type {Awaitable} from '../../base/awaitable.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';

const RECENT_MAX = 64;

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

  /** `kinds` are those of all objects that the commit touched, edges included; left out where that is not known. */
  publish(commit: Instant, kinds?: ReadonlySet<KindShape>): void {
    this.#recent.push({before: this.#committed, at: commit, kinds});
    if (this.#recent.length > RECENT_MAX) this.#recent.shift();
    this.#committed = commit;
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
    const until = Math.min(at, this.now()) as Instant;
    return underway === undefined ? until : underway.then(() => until);
  }
}
