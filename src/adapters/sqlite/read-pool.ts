import {AsyncResource} from 'node:async_hooks';
import {Worker} from 'node:worker_threads';
import {ServiceError, unavailable, validationError} from '../../domain/errors.ts';
import type {ReadAnswer, ReadQuestion, ReadRequest, ReadStatement, ReadWorkerData} from './read-messages.ts';
import type {StatementWatch} from './store-watch.ts';
import {closeWorker} from './worker-close.ts';

interface Waiting {
  readonly question: ReadQuestion;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
  /** Told of each statement, within the request that asks. */
  readonly ran: StatementWatch | undefined;
}

/** A thread and what it has been asked, in the order in which it answers. */
interface Desk {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  /** Raised when nobody wants its answers any more; the thread looks at it before each statement. */
  readonly flag: Int32Array;
}

const WAITING_MAX = 10_000;

/** Threads that work on at something given up; with more of them than this, no further one is replaced. */
const GIVEN_UP_MAX = 4;

/**
 * Threads that answer heavy questions on read-only connections of their own. One that dies is replaced, and so is one
 * that takes too long: a statement cannot be stopped from outside, so its thread ends by its own hand after it.
 */
export class ReadPool {
  readonly #path: string;
  readonly #desks: Desk[] = [];
  readonly #givenUp = new Set<Desk>();
  readonly #ran: StatementWatch | undefined;
  #nextId = 0;
  #isClosed = false;

  constructor(path: string, workers: number, ran?: StatementWatch) {
    this.#path = path;
    this.#ran = ran;
    for (let index = 0; index < workers; index += 1) this.#desks.push(this.#start());
  }

  /** Questions that have no answer yet. */
  get waiting(): number {
    return this.#desks.reduce((sum, desk) => sum + desk.waiting.size, 0);
  }

  /** Refused when the answer is not there after so many milliseconds. */
  ask(question: ReadQuestion, millisMax?: number): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is stopping; nothing more is read.'));
    const desk = this.#desks.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
    if (desk.waiting.size >= WAITING_MAX)
      return Promise.reject(unavailable('Too many reads are waiting; try again in a moment.'));
    this.#nextId += 1;
    const id = this.#nextId;
    const {promise, resolve, reject} = Promise.withResolvers<unknown>();
    const timer =
      millisMax === undefined ? undefined : setTimeout(() => this.#giveUp(id, millisMax), millisMax);
    const ran = this.#ran === undefined ? undefined : AsyncResource.bind(this.#ran);
    this.#hand(desk, id, {question, resolve, reject, timer, ran});
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#desks, ...this.#givenUp].map(({worker}) => closeWorker(worker)));
  }

  #hand(desk: Desk, id: number, waiting: Waiting): void {
    desk.waiting.set(id, waiting);
    // A thread keeps the process alive while somebody waits for it, and not longer.
    desk.worker.ref();
    const request: ReadRequest = {id, question: waiting.question};
    desk.worker.postMessage(request);
  }

  #giveUp(id: number, millisMax: number): void {
    const desk = this.#desks.find(({waiting}) => waiting.has(id));
    if (desk === undefined) return;
    const [running] = desk.waiting.keys();
    desk.waiting
      .get(id)!
      .reject(
        validationError(
          `The query was given up after ${millisMax / 1000} seconds; ask for less at once, or filter by an indexed attribute`,
        ),
      );
    desk.waiting.delete(id);
    if (running === id && this.#givenUp.size < GIVEN_UP_MAX) this.#replaceBusy(desk);
  }

  /** Puts another thread in the place of one that works for nobody; those who wait behind it go along. */
  #replaceBusy(desk: Desk): void {
    const fresh = this.#start();
    this.#desks[this.#desks.indexOf(desk)] = fresh;
    for (const [id, waiting] of desk.waiting) this.#hand(fresh, id, waiting);
    desk.waiting.clear();
    this.#givenUp.add(desk);
    Atomics.store(desk.flag, 0, 1);
    desk.worker.unref();
    void closeWorker(desk.worker);
  }

  #start(): Desk {
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: ReadWorkerData = {path: this.#path, flag, isWatched: this.#ran !== undefined};
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {workerData});
    worker.unref();
    const desk: Desk = {worker, waiting: new Map(), flag};
    worker.on('message', (answer: ReadAnswer | ReadStatement) => {
      const asked = desk.waiting.get(answer.id);
      if (answer.is === 'ran') {
        asked?.ran?.(answer, answer.millis);
        return;
      }
      desk.waiting.delete(answer.id);
      if (desk.waiting.size === 0) worker.unref();
      if (asked === undefined) return;
      clearTimeout(asked.timer);
      if (answer.is === 'answered') asked.resolve(answer.value);
      else if (answer.is === 'refused')
        asked.reject(new ServiceError(answer.code, answer.message, answer.facts));
      else asked.reject(new Error(answer.message));
    });
    worker.on('error', error => this.#replaceDead(desk, error));
    worker.on('exit', () => this.#replaceDead(desk, new Error('A read worker stopped')));
    return desk;
  }

  #replaceDead(desk: Desk, error: unknown): void {
    this.#givenUp.delete(desk);
    for (const {reject, timer} of desk.waiting.values()) {
      clearTimeout(timer);
      reject(unavailable('The read was interrupted; try again.', {cause: error}));
    }
    desk.waiting.clear();
    const index = this.#desks.indexOf(desk);
    if (index >= 0 && !this.#isClosed) this.#desks[index] = this.#start();
  }
}
