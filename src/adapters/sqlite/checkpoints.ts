import {Worker} from 'node:worker_threads';
import {closeWorker} from './worker-close.ts';

const COMMITS_BETWEEN = 64;

/**
 * Moves the write-ahead log into the database from a thread of its own, so that no commit ever waits for it.
 */
export class Checkpoints {
  readonly #path: string;
  /** Started when there is something to move: a store that is only read needs none. */
  #worker: Worker | undefined;
  #commits = 0;

  constructor(path: string) {
    this.#path = path;
  }

  afterCommit(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN !== 0) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined) await closeWorker(this.#worker);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: {path: this.#path},
    });
    worker.unref();
    return worker;
  }
}
