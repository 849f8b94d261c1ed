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
  #look: Promise<void> | undefined;
  #nextLook: Promise<void> | undefined;

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

  /**
   * Reads from here on see whatever was acknowledged before. Those who ask while a look at the log is under way share
   * the next one.
   */
  latest(): Promise<void> {
    if (this.#look === undefined) return this.#begin();
    this.#nextLook ??= this.#look.catch(() => undefined).then(() => this.#begin());
    return this.#nextLook;
  }

  #begin(): Promise<void> {
    this.#nextLook = undefined;
    const look = this.#takeOverLatest().finally(() => {
      if (this.#look === look) this.#look = undefined;
    });
    this.#look = look;
    return look;
  }

  async #takeOverLatest(): Promise<void> {
    const rows = await this.#again(() =>
      this.#connections.use(connection => connection.run(this.#follower.probe())),
    );
    if (rows.length > 0) await this.catchUp();
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
