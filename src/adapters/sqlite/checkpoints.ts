import {Worker} from 'node:worker_threads';
import {lengthenLog} from './log-file.ts';
import {closeWorker} from './worker-close.ts';

const COMMITS_BETWEEN_LOOKS = 4;
const PAGES_BETWEEN = 2000;
/** A store that is hardly written to needs no long log. */
const PAGES_BEFORE_LENGTHENING = 64;

/**
 * Moves the write-ahead log into the database from a thread of its own, so that no commit ever waits for it.
 */
export class Checkpoints {
  readonly #path: string;
  /** Started when there is something to move: a store that is only read needs none. */
  #worker: Worker | undefined;
  /** How many pages stand in the log alone. The log's size does not tell: its file is written anew from its start. */
  readonly #pagesWaiting: () => number;
  #commits = 0;
  #isAtWork = false;
  #lengthening: Promise<void> | undefined;

  constructor(path: string, pagesWaiting: () => number) {
    this.#path = path;
    this.#pagesWaiting = pagesWaiting;
  }

  afterCommit(): void {
    this.#commits += 1;
    if (this.#isAtWork || this.#commits < COMMITS_BETWEEN_LOOKS) return;
    this.#commits = 0;
    const pages = this.#pagesWaiting();
    if (pages >= PAGES_BEFORE_LENGTHENING) this.#lengthening ??= this.#lengthen();
    if (pages < PAGES_BETWEEN) return;
    this.#isAtWork = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    if (this.#worker !== undefined) await closeWorker(this.#worker);
    await this.#lengthening;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: {path: this.#path},
    });
    worker.unref();
    worker.on('message', (isCutBack: boolean) => {
      this.#isAtWork = false;
      if (isCutBack) this.#lengthening = this.#lengthening?.then(() => this.#lengthen());
    });
    return worker;
  }

  async #lengthen(): Promise<void> {
    try {
      await lengthenLog(this.#path);
    } catch {
      // Without the room for it commits take longer, and that is all.
    }
  }
}
