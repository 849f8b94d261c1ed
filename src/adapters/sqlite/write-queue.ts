import {AsyncResource} from 'node:async_hooks';
import {setImmediate as nextTurn, setTimeout as pause} from 'node:timers/promises';
import {assert} from '../../base/assert.ts';
import {unavailable} from '../../domain/errors.ts';
import type {Job, JobResult, SteppedJob} from '../sql/job.ts';
import {InTheWay} from '../sql/job.ts';
import type {Connection} from './connection.ts';
import {asServiceError, isBusy, isFull, losesTrust} from './sqlite-error.ts';
import {SteppedRun} from './stepped-run.ts';

interface Queued {
  readonly job: Job<unknown>;
  readonly run: () => Promise<JobResult<unknown>>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A job of the batch under way; without a result while it runs. */
interface Finished {
  readonly queued: Queued;
  readonly result: JobResult<unknown> | undefined;
}

const JOBS_PER_COMMIT_MAX = 128;
/** A batch gives the others a turn after this long, and goes on with its transaction open. */
const SLICE_MILLIS = 3;
const MILLIS_PER_COMMIT_MAX = 20;
const QUEUE_LENGTH_MAX = 100_000;
const LOCK_MILLIS_MAX = 30_000;
const HALF_TAKEN_BACK =
  'A merge that failed could not be taken back, and nothing more is written. Restart the service, which finishes that.';

/**
 * One writer at a time, many writers per sync: jobs that wait together share one durable commit, each inside its
 * own savepoint, so that one that fails takes nothing with it. Nobody is told before the disk has it.
 */
export class WriteQueue {
  readonly #connection: Connection;
  readonly #onCommit: (millis: number, jobs: number) => void;
  readonly #jobs: Queued[] = [];
  /** Writes that land in steps: one after the other, while jobs have their turns in between. */
  readonly #stepped: SteppedRun[] = [];
  /** Jobs that wait for the end of the first of those. */
  readonly #inTheWay: Queued[] = [];
  #idle: Promise<void> | undefined;
  #underway: Promise<void> | undefined;
  #broken: Error | undefined;
  #wasFull = false;
  readonly #keepsContext: boolean;
  #isClosed = false;

  /** `keepsContext`: a job runs in the asynchronous context of whoever added it, so that it can be traced. */
  constructor(
    connection: Connection,
    onCommit: (millis: number, jobs: number) => void,
    keepsContext = false,
  ) {
    this.#connection = connection;
    this.#onCommit = onCommit;
    this.#keepsContext = keepsContext;
  }

  /** Why nothing can be written any more; undefined while all is well. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /** The disk had no room for the last write that was tried; there may be some again. */
  get wasFull(): boolean {
    return this.#wasFull;
  }

  add<T>(job: Job<T>): Promise<T> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const {promise, resolve, reject} = Promise.withResolvers<T>();
    const run = this.#keepsContext ? AsyncResource.bind(() => job.run()) : () => job.run();
    this.#jobs.push({job, run, resolve: resolve as (value: unknown) => void, reject});
    this.#idle ??= this.#drain();
    return promise;
  }

  /** Others write between the steps of the job; there is no limit to how long it takes. */
  addStepped<T>(job: SteppedJob<T>): Promise<T> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const run = new SteppedRun(job, {
      commit: () => this.#commitStep(),
      takeBack: () => this.#beginAnew(),
      breakOff: cause => this.#breakOff(unavailable(HALF_TAKEN_BACK, {cause})),
    });
    this.#stepped.push(run);
    this.#idle ??= this.#drain();
    return (run.outcome as Promise<T>).catch((error: unknown) => {
      throw asServiceError(error);
    });
  }

  #refusal(): Error | undefined {
    if (this.#isClosed) return unavailable('The service is stopping; nothing more is written.');
    if (this.#broken !== undefined) return this.#broken;
    return this.waiting < QUEUE_LENGTH_MAX
      ? undefined
      : unavailable('Too many writes are waiting; try again in a moment.');
  }

  /** Ends when the commit under way has, one way or the other; nothing to wait for when there is none. */
  get underway(): Promise<void> | undefined {
    return this.#underway;
  }

  get waiting(): number {
    return this.#jobs.length + this.#inTheWay.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#idle;
  }

  async #drain(): Promise<void> {
    while (this.#jobs.length > 0 || this.#stepped.length > 0) {
      // One turn of the loop lets the requests that arrived together share a commit. It comes before each commit: a
      // caller that writes again as soon as it is told would otherwise keep everybody else out.
      await nextTurn();
      if (this.#jobs.length > 0) await this.#beUnderway(this.#commitSome());
      const run = this.#stepped[0];
      if (run?.isResting === false) await this.#beUnderway(this.#step(run));
      else if (run !== undefined && this.#jobs.length === 0) await pause(1);
    }
    this.#idle = undefined;
  }

  async #beUnderway(commit: Promise<void>): Promise<void> {
    this.#underway = commit;
    await commit;
    this.#underway = undefined;
  }

  /** One turn of a job that lands in steps; when it has ended, those who stood in its way have theirs. */
  async #step(run: SteppedRun): Promise<void> {
    let hasEnded = true;
    try {
      if (this.#broken !== undefined) throw this.#broken;
      // The log is one sequence: steps reach the disk with the next commit that must, their last turn's or another's.
      if (!run.isDurable) this.#connection.exec('PRAGMA synchronous = NORMAL');
      await this.#begin();
      hasEnded = await run.turn();
    } catch (error) {
      await run.refuse(asServiceError(error));
    }
    if (hasEnded && this.#connection.isInTransaction) this.#connection.exec('ROLLBACK');
    this.#connection.exec('PRAGMA synchronous = FULL');
    if (!hasEnded) return;
    this.#stepped.shift();
    this.#jobs.unshift(...this.#inTheWay.splice(0));
  }

  #commitStep(): void {
    const begun = performance.now();
    try {
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (isFull(error)) this.#wasFull = true;
      if (losesTrust(error)) this.#breakOff(asServiceError(error));
      throw error;
    }
    this.#wasFull = false;
    this.#onCommit(performance.now() - begun, 1);
  }

  #beginAnew(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#connection.isInTransaction) this.#connection.exec('ROLLBACK');
    this.#connection.exec('BEGIN IMMEDIATE');
  }

  async #commitSome(): Promise<void> {
    const batch: Finished[] = [];
    const refused: (() => void)[] = [];
    const begun = performance.now();
    try {
      if (this.#broken !== undefined) throw this.#broken;
      await this.#begin();
      const start = performance.now();
      let sliceStart = start;
      while (this.#jobs.length > 0 && batch.length < JOBS_PER_COMMIT_MAX) {
        const {standsAlone} = await this.#runOne(this.#jobs.shift()!, batch, refused);
        const now = performance.now();
        if (standsAlone === true || now - start > MILLIS_PER_COMMIT_MAX) break;
        if (now - sliceStart < SLICE_MILLIS) continue;
        await nextTurn();
        sliceStart = performance.now();
      }
      this.#connection.exec('COMMIT');
      if (batch.length > 0) this.#wasFull = false;
    } catch (error) {
      await this.#fail(error, batch);
      for (const refuse of refused) refuse();
      return;
    }
    for (const {result} of batch) result?.publish?.();
    for (const {queued, result} of batch) queued.resolve(result?.value);
    for (const refuse of refused) refuse();
    this.#onCommit(performance.now() - begun, batch.length);
  }

  /** While the log is cut back nobody else may write; the thread does other things meanwhile. */
  async #begin(): Promise<void> {
    const until = performance.now() + LOCK_MILLIS_MAX;
    for (;;) {
      try {
        this.#connection.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
        await pause(1);
      }
    }
  }

  /** A job that fails takes back what it wrote and leaves the batch; when even that fails, the whole batch has failed. */
  async #runOne(
    queued: Queued,
    batch: Finished[],
    refused: (() => void)[],
  ): Promise<Pick<JobResult<unknown>, 'standsAlone'>> {
    const place = batch.push({queued, result: undefined}) - 1;
    // The first takes the whole transaction back with it: a savepoint copies every page that is written.
    const isFirst = place === 0;
    if (!isFirst) this.#connection.exec('SAVEPOINT job');
    try {
      const result = await queued.run();
      if (!isFirst) this.#connection.exec('RELEASE job');
      batch[place] = {queued, result};
      return result;
    } catch (error) {
      if (isFull(error)) this.#wasFull = true;
      if (losesTrust(error) || !this.#takesBack(isFirst)) throw error;
      batch.length = place;
      await queued.job.undo();
      if (error instanceof InTheWay) {
        assert(this.#stepped.length > 0, 'only a stepped job has anything in its way');
        this.#inTheWay.push(queued);
        return {};
      }
      refused.push(() => queued.reject(asServiceError(error)));
      return {};
    }
  }

  /** False when the engine has already rolled back everything by itself, as it does when the disk is full. */
  #takesBack(isFirst: boolean): boolean {
    try {
      this.#connection.exec(isFirst ? 'ROLLBACK; BEGIN IMMEDIATE' : 'ROLLBACK TO job; RELEASE job');
      return true;
    } catch {
      return false;
    }
  }

  /** Nothing of the batch is durable: every job of it fails, and after a failed disk so does every later one. */
  async #fail(error: unknown, batch: readonly Finished[]): Promise<void> {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // The engine has rolled back by itself.
    }
    const reason = asServiceError(error);
    if (isFull(error)) this.#wasFull = true;
    for (const {queued} of batch.toReversed()) await queued.job.undo();
    for (const {queued} of batch) queued.reject(reason);
    if (losesTrust(error) || this.#broken !== undefined) this.#breakOff(this.#broken ?? reason);
    else if (batch.length === 0) this.#jobs.shift()?.reject(reason);
  }

  /** Nothing more is written. */
  #breakOff(reason: Error): void {
    this.#broken = reason;
    for (const queued of [...this.#jobs.splice(0), ...this.#inTheWay.splice(0)]) queued.reject(reason);
  }
}
