import type {Instant} from '../../domain/time/instant.ts';
import type {CommitFollower} from '../sql/commit-follower.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {Work} from '../sql/statement.ts';
import type {Connections} from './connections.ts';
import {asServiceError, isConnectionLost, isPassing} from './postgres-error.ts';

const ATTEMPTS_MAX = 3;

/** Reads of the graph, each in one state of the database, with what is kept in memory in step with that state. */
export class Reading {
  readonly #connections: Connections;
  readonly #follower: CommitFollower;
  #following: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(connections: Connections, follower: CommitFollower) {
    this.#connections = connections;
    this.#follower = follower;
  }

  get context(): GraphContext {
    return this.#follower.context;
  }

  get committed(): Instant {
    return this.#follower.committed;
  }

  get told(): Instant {
    return this.#follower.told;
  }

  /**
   * The work is made anew when something was committed since the last look: which rows have ended decides which
   * tables are asked. A read that the database breaks off is asked again, as it changes nothing.
   */
  read<T>(work: () => Work<T>): Promise<T> {
    return this.#again(() => this.#connections.use(connection => connection.reading(this.#follower, work)));
  }

  /** Something that reads or writes rows which no snapshot is kept of. */
  transaction<T>(work: () => Work<T>): Promise<T> {
    return this.#again(() => this.#connections.use(connection => connection.transaction(work)));
  }

  /** Takes over what others have committed up to now. */
  async catchUp(): Promise<void> {
    if (this.#following !== undefined) {
      this.#isAskedAgain = true;
      return this.#following;
    }
    this.#following = this.#follow();
    try {
      await this.#following;
    } finally {
      this.#following = undefined;
    }
  }

  async #follow(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await this.#again(() =>
        this.#connections.use(connection => connection.drive(this.#follower.catchUp())),
      );
    } while (this.#isAskedAgain);
  }

  async #again<T>(body: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await body();
      } catch (error) {
        const mayPass = isConnectionLost(error) || isPassing(error);
        if (!mayPass || attempt === ATTEMPTS_MAX) throw asServiceError(error);
      }
    }
  }
}
