import {Worker} from 'node:worker_threads';
import {ServiceError, unavailable} from '../../domain/errors.ts';
import type {ReadAnswer, ReadQuestion, ReadRequest} from './read-messages.ts';
import {closeWorker} from './worker-close.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const WAITING_MAX = 10_000;

/** Threads that answer heavy questions on read-only connections of their own. One that dies is replaced. */
export class ReadPool {
  readonly #path: string;
  readonly #workers: Worker[] = [];
  readonly #waiting = new Map<Worker, Map<number, Waiting>>();
  #nextId = 0;
  #isClosed = false;

  constructor(path: string, workers: number) {
    this.#path = path;
    for (let index = 0; index < workers; index += 1) this.#workers.push(this.#start());
  }

  ask(question: ReadQuestion): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(unavailable('The service is stopping; nothing more is read.'));
    const worker = this.#workers.reduce((a, b) => (this.#load(b) < this.#load(a) ? b : a));
    const waiting = this.#waiting.get(worker)!;
    if (waiting.size >= WAITING_MAX)
      return Promise.reject(unavailable('Too many reads are waiting; try again in a moment.'));
    this.#nextId += 1;
    const request: ReadRequest = {id: this.#nextId, question};
    const {promise, resolve, reject} = Promise.withResolvers<unknown>();
    waiting.set(request.id, {resolve, reject});
    // A thread keeps the process alive while somebody waits for it, and not longer.
    worker.ref();
    worker.postMessage(request);
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map(worker => closeWorker(worker)));
  }

  #load(worker: Worker): number {
    return this.#waiting.get(worker)?.size ?? 0;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {workerData: {path: this.#path}});
    worker.unref();
    const waiting = new Map<number, Waiting>();
    this.#waiting.set(worker, waiting);
    worker.on('message', (answer: ReadAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) worker.unref();
      if (asked === undefined) return;
      if (answer.is === 'answered') asked.resolve(answer.value);
      else if (answer.is === 'refused')
        asked.reject(new ServiceError(answer.code, answer.message, answer.facts));
      else asked.reject(new Error(answer.message));
    });
    worker.on('error', error => this.#replace(worker, error));
    worker.on('exit', () => this.#replace(worker, new Error('A read worker stopped')));
    return worker;
  }

  #replace(worker: Worker, error: unknown): void {
    const index = this.#workers.indexOf(worker);
    const waiting = this.#waiting.get(worker);
    this.#waiting.delete(worker);
    for (const {reject} of waiting?.values() ?? [])
      reject(unavailable('The read was interrupted; try again.', {cause: error}));
    if (index >= 0 && !this.#isClosed) this.#workers[index] = this.#start();
  }
}
