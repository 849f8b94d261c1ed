import {Worker} from 'node:worker_threads';
import {ServiceError, unavailable} from '../../domain/errors.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Page} from '../../ports/graph-store.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import type {GraphLayout} from '../sql/layout.ts';
import {unpackPage} from './page-codec.ts';
import type {ReadAnswer, ReadRequest} from './read-messages.ts';

interface Waiting {
  readonly layout: GraphLayout;
  readonly resolve: (page: Page) => void;
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

  query(
    context: GraphContext,
    branch: number,
    at: Instant,
    layout: GraphLayout,
    query: NodeQuery,
  ): Promise<Page> {
    const worker = this.#workers.reduce((a, b) => (this.#load(b) < this.#load(a) ? b : a));
    const waiting = this.#waiting.get(worker)!;
    if (waiting.size >= WAITING_MAX)
      return Promise.reject(unavailable('Too many reads are waiting; try again in a moment.'));
    this.#nextId += 1;
    const request: ReadRequest = {id: this.#nextId, branch, at, defaultBranch: context.defaultBranch, query};
    const {promise, resolve, reject} = Promise.withResolvers<Page>();
    waiting.set(request.id, {layout, resolve, reject});
    worker.postMessage(request);
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map(worker => worker.terminate()));
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
      if (asked === undefined) return;
      if (answer.is === 'page') asked.resolve(unpackPage(answer.page, asked.layout));
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
