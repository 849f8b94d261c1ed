import {statSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {closeWorker} from './worker-close.ts';

const COMMITS_BETWEEN = 64;
/** Large commits are not waited for in numbers. */
const COMMITS_BETWEEN_LOOKS = 4;
const LOG_BYTES_BETWEEN = 16 * 1024 * 1024;

/**
 * Moves the write-ahead log into the database from a thread of its own, so that no commit ever waits for it.
 */
export class Checkpoints {
  readonly #path: string;
  /** Started when there is something to move: a store that is only read needs none. */
  #worker: Worker | undefined;
  #commits = 0;
  #isAtWork = false;

  constructor(path: string) {
    this.#path = path;
  }

  afterCommit(): void {
    this.#commits += 1;
    if (this.#isAtWork || !this.#isDue()) return;
    this.#commits = 0;
    this.#isAtWork = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  #isDue(): boolean {
    if (this.#commits >= COMMITS_BETWEEN) return true;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return false;
    return (statSync(`${this.#path}-wal`, {throwIfNoEntry: false})?.size ?? 0) > LOG_BYTES_BETWEEN;
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined) await closeWorker(this.#worker);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: {path: this.#path},
    });
    worker.unref();
    worker.on('message', () => {
      this.#isAtWork = false;
    });
    return worker;
  }
}
