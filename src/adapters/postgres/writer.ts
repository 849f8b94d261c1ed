import {setImmediate as nextTurn, setTimeout as wait} from 'node:timers/promises';
import {unavailable} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {CommitFollower} from '../sql/commit-follower.ts';
import {tellStatement} from '../sql/commit-follower.ts';
import {isCommitted} from '../sql/commit-log.ts';
import type {Job, JobResult} from '../sql/job.ts';
import type {Row, Statement} from '../sql/statement.ts';
import {asServiceError, isConnectionLost, isPassing, outcomeUnknown} from './postgres-error.ts';
import type {WriterSession} from './writer-session.ts';

/** Jobs are made for the session that runs them. */
export type JobFor<T> = (session: WriterSession) => Job<T>;

interface Queued {
  readonly jobFor: JobFor<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Finished {
  readonly queued: Queued;
  readonly result: JobResult<unknown>;
}

export interface WriterOptions {
  readonly open: () => Promise<WriterSession>;
  readonly follower: CommitFollower;
  /** Runs once a commit is durable and known, before anybody is told of it. */
  readonly onCommit: (millis: number, writes: number) => void;
  /** Tells other servers of a commit. */
  readonly announce: (commit: Instant) => Statement;
  readonly reconnectMillisMax: number;
}

const JOBS_PER_COMMIT_MAX = 32;
const MILLIS_PER_COMMIT_MAX = 20;
const QUEUE_LENGTH_MAX = 100_000;
const RECONNECT_PAUSE_MILLIS = 100;

/**
 * The writes of this server, one after the other: jobs that wait together share a transaction, a lock and a durable
 * commit, each inside its own savepoint. Nobody is told before the database has acknowledged the commit; when its
 * answer is lost, the log is asked first.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #jobs: Queued[] = [];
  #session: WriterSession | undefined;
  #idle: Promise<void> | undefined;
  #isClosed = false;
  #begunAt = 0;

  constructor(options: WriterOptions, session: WriterSession) {
    this.#options = options;
    this.#session = session;
  }

  get waiting(): number {
    return this.#jobs.length;
  }

  add<T>(jobFor: JobFor<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(unavailable('The store is closed.'));
    if (this.#jobs.length >= QUEUE_LENGTH_MAX) return Promise.reject(unavailable('Too many writes wait.'));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({jobFor, resolve: resolve as (value: unknown) => void, reject});
      this.#idle ??= this.#drain();
    });
  }

  /** From here on no commit falls on the instant or before it, on any server. */
  fence(instant: Instant): Promise<void> {
    return this.add<void>(({connection}) => ({
      run: async () => {
        await connection.drive(
          (function* () {
            yield tellStatement(instant);
          })(),
        );
        return {value: undefined};
      },
      undo: () => undefined,
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#idle;
    await this.#session?.connection.close();
  }

  async #drain(): Promise<void> {
    // One turn of the loop lets the requests that arrived together share a commit.
    await nextTurn();
    while (this.#jobs.length > 0) await this.#commitSome();
    this.#idle = undefined;
  }

  async #commitSome(): Promise<void> {
    let session: WriterSession;
    try {
      session = await this.#begun();
    } catch (error) {
      const reason = asServiceError(error);
      for (const queued of this.#jobs.splice(0)) queued.reject(reason);
      return;
    }
    const batch: Finished[] = [];
    const refused: (() => void)[] = [];
    try {
      await this.#runSome(session, batch, refused);
    } catch (error) {
      await this.#drop(session);
      const reason = asServiceError(error);
      for (const {queued} of batch) queued.reject(reason);
      for (const refuse of refused) refuse();
      return;
    }
    if (batch.length > 0) await this.#commit(session, batch);
    for (const refuse of refused) refuse();
  }

  /** A transaction under the lock, on another connection when this one has gone: nothing has run on it yet. */
  async #begun(): Promise<WriterSession> {
    const start = performance.now();
    for (;;) {
      try {
        this.#session ??= await this.#options.open();
        this.#begunAt = performance.now();
        await this.#session.begin();
        return this.#session;
      } catch (error) {
        if (this.#session !== undefined) await this.#drop(this.#session);
        const mayPass = isConnectionLost(error) || isPassing(error);
        const isLate = performance.now() - start > this.#options.reconnectMillisMax;
        if (!mayPass || isLate || this.#isClosed) throw error;
        await wait(RECONNECT_PAUSE_MILLIS);
      }
    }
  }

  async #runSome(session: WriterSession, batch: Finished[], refused: (() => void)[]): Promise<void> {
    const {connection} = session;
    const start = performance.now();
    for (let place = 0; this.#jobs.length > 0 && place < JOBS_PER_COMMIT_MAX; place += 1) {
      const queued = this.#jobs.shift()!;
      // The first takes the whole transaction back with it, and the batch is over.
      const isFirst = place === 0;
      if (!isFirst) connection.savepoint();
      let job: Job<unknown> | undefined;
      try {
        job = queued.jobFor(session);
        const result = await job.run();
        // A refusal of what was written blindly belongs to this job and no other, and comes before the commit.
        if (connection.isDoubtful || !isFirst || this.#jobs.length > 0) await connection.flush();
        if (!isFirst) connection.releaseSavepoint();
        batch.push({queued, result});
        if (result.standsAlone === true || performance.now() - start > MILLIS_PER_COMMIT_MAX) return;
      } catch (error) {
        refused.push(() => queued.reject(asServiceError(error)));
        if (connection.lost !== undefined) throw error;
        await (isFirst ? connection.rollback() : connection.rollbackToSavepoint());
        await job?.undo();
        if (isFirst) return;
      }
    }
  }

  async #commit(session: WriterSession, batch: readonly Finished[]): Promise<void> {
    const {connection} = session;
    const commits = batch.flatMap(({result}) => result.commit ?? []);
    const last = commits.at(-1)?.params[0] as Instant | undefined;
    const {follower} = this.#options;
    let news: readonly Row[];
    try {
      if (last !== undefined) connection.send(this.#options.announce(last));
      news = await connection.commitAndRead(follower.news());
    } catch (error) {
      await this.#drop(session);
      if (!isConnectionLost(error)) return reject(batch, asServiceError(error));
      return this.#lookUp(batch, error);
    }
    if (last !== undefined) session.reach(last);
    await this.#publish(batch, () => connection.drive(follower.takeOver(news)));
  }

  /** The commit was sent and no answer came: whoever holds the lock sees whether it is there. */
  async #lookUp(batch: readonly Finished[], cause: unknown): Promise<void> {
    const commit = batch.flatMap(({result}) => result.commit ?? []).at(-1);
    try {
      if (commit === undefined) return reject(batch, outcomeUnknown(cause));
      const session = await this.#begun();
      const isThere = await session.connection.drive(isCommitted(commit));
      await session.connection.rollback();
      const {follower} = this.#options;
      if (isThere) await this.#publish(batch, () => session.connection.drive(follower.catchUp()));
      else reject(batch, asServiceError(cause));
    } catch {
      reject(batch, outcomeUnknown(cause));
    }
  }

  async #publish(batch: readonly Finished[], catchUp: () => Promise<unknown>): Promise<void> {
    for (const {result} of batch) result.publish?.();
    try {
      await catchUp();
      this.#options.onCommit(performance.now() - this.#begunAt, batch.length);
    } catch {
      // What is durable is acknowledged; readers catch up when the database is back.
    }
    for (const {queued, result} of batch) queued.resolve(result.value);
  }

  async #drop(session: WriterSession): Promise<void> {
    if (this.#session === session) this.#session = undefined;
    await session.connection.close();
  }
}

function reject(batch: readonly Finished[], reason: Error): void {
  for (const {queued} of batch) queued.reject(reason);
}
