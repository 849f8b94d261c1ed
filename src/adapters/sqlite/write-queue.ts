import {setImmediate as nextTurn} from 'node:timers/promises';
import {unavailable} from '../../domain/errors.ts';
import type {Connection} from './connection.ts';
import {asServiceError, losesTrust} from './sqlite-error.ts';

/** What a job leaves behind when it is done, before it is durable. */
export interface JobResult<T> {
  readonly value: T;
  /** Runs once the commit is durable, before anybody is told. */
  readonly publish?: () => void;
  /** True when others may only go on once this one is durable and published. */
  readonly standsAlone?: boolean;
}

export interface Job<T> {
  run(): Promise<JobResult<T>>;
  /** Runs after a failed job was rolled back. */
  undo(): void;
}

interface Queued {
  readonly job: Job<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const JOBS_PER_COMMIT_MAX = 128;
const MILLIS_PER_COMMIT_MAX = 20;
const QUEUE_LENGTH_MAX = 100_000;

/**
 * One writer at a time, many writers per sync: jobs that wait together share one durable commit, each inside its
 * own savepoint, so that one that fails takes nothing with it. Nobody is told before the disk has it.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #onCommit: () => void;
  readonly #jobs: Queued[] = [];
  #idle: Promise<void> | undefined;
  #broken: Error | undefined;
  #isClosed = false;

  constructor(connection: Connection, onCommit: () => void) {
    this.#connection = connection;
    this.#onCommit = onCommit;
  }

  /** Why nothing can be written any more; undefined while all is well. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  add<T>(job: Job<T>): Promise<T> {
    if (this.#isClosed)
      return Promise.reject(unavailable('The service is stopping; nothing more is written.'));
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#jobs.length >= QUEUE_LENGTH_MAX) {
      return Promise.reject(unavailable('Too many writes are waiting; try again in a moment.'));
    }
    const {promise, resolve, reject} = Promise.withResolvers<T>();
    this.#jobs.push({job, resolve: resolve as (value: unknown) => void, reject});
    this.#idle ??= this.#drain();
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#idle;
  }

  async #drain(): Promise<void> {
    // One turn of the loop lets the requests that arrived together share a commit.
    await nextTurn();
    while (this.#jobs.length > 0) await this.#commitSome();
    this.#idle = undefined;
  }

  async #commitSome(): Promise<void> {
    const settled: (() => void)[] = [];
    const done: {readonly queued: Queued; readonly result: JobResult<unknown>}[] = [];
    try {
      if (this.#broken !== undefined) throw this.#broken;
      this.#connection.exec('BEGIN IMMEDIATE');
      const start = performance.now();
      while (this.#jobs.length > 0 && done.length < JOBS_PER_COMMIT_MAX) {
        const queued = this.#jobs.shift()!;
        const result = await this.#runOne(queued, settled);
        if (result !== undefined) done.push({queued, result});
        if (result?.standsAlone === true || performance.now() - start > MILLIS_PER_COMMIT_MAX) break;
      }
      this.#connection.exec('COMMIT');
    } catch (error) {
      this.#fail(error, done);
      for (const settle of settled) settle();
      return;
    }
    for (const {result} of done) result.publish?.();
    for (const {queued, result} of done) queued.resolve(result.value);
    for (const settle of settled) settle();
    this.#onCommit();
  }

  async #runOne(queued: Queued, settled: (() => void)[]): Promise<JobResult<unknown> | undefined> {
    this.#connection.exec('SAVEPOINT job');
    try {
      const result = await queued.job.run();
      this.#connection.exec('RELEASE job');
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK TO job; RELEASE job');
      queued.job.undo();
      if (losesTrust(error)) this.#broken = asServiceError(error);
      settled.push(() => queued.reject(asServiceError(error)));
      return undefined;
    }
  }

  /** Nothing of the batch is durable: every job of it fails, and after a failed disk so does every later one. */
  #fail(error: unknown, done: readonly {readonly queued: Queued}[]): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // The engine has rolled back by itself.
    }
    const reason = asServiceError(error);
    if (losesTrust(error)) this.#broken = reason;
    for (const {queued} of done.toReversed()) queued.job.undo();
    for (const {queued} of done) queued.reject(reason);
    if (this.#broken !== undefined) {
      for (const queued of this.#jobs.splice(0)) queued.reject(this.#broken);
    } else if (done.length === 0) {
      this.#jobs.shift()?.reject(reason);
    }
  }
}
