import {Worker} from 'node:worker_threads';

const COMMITS_BETWEEN = 64;

/**
 * Moves the write-ahead log into the database from a thread of its own, so that no commit ever waits for it.
 */
export class Checkpoints {
  readonly #worker: Worker;
  #commits = 0;

  constructor(path: string) {
    this.#worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {workerData: {path}});
    this.#worker.unref();
  }

  afterCommit(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN === 0) this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
