import {createHash} from 'node:crypto';
import {Worker} from 'node:worker_threads';
import {unavailable} from '../../domain/errors.ts';
import type {ChecksumAnswer, ChecksumMessage} from './checksum-worker.ts';

/** Up to so many bytes are summed when they are all there; more than that would hold up others. */
const INLINE_BYTES_MAX = 1_048_576;
const STEP_BYTES = 1_048_576;

/**
 * MD5 takes longer than all else that is done with a large file. A thread reads what has been written of it and sums
 * that, while more arrives.
 */
export class FileChecksums {
  #thread: ChecksumThread | undefined;

  begin(path: string): FileChecksum {
    return new FileChecksum(path, () => this.#running());
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  #running(): ChecksumThread {
    if (this.#thread === undefined || this.#thread.isOver) this.#thread = new ChecksumThread();
    return this.#thread;
  }
}

interface RemoteSum {
  readonly thread: ChecksumThread;
  readonly of: number;
}

/** The sum of one file that is being written. */
export class FileChecksum {
  readonly #path: string;
  readonly #running: () => ChecksumThread;
  #kept: Uint8Array[] = [];
  #byteLength = 0;
  #told = 0;
  #remote: RemoteSum | undefined;

  constructor(path: string, running: () => ChecksumThread) {
    this.#path = path;
    this.#running = running;
  }

  /** A piece that will be written, and how many bytes of the file have been. */
  add(piece: Uint8Array, byteLengthWritten: number): void {
    this.#byteLength += piece.length;
    if (this.#byteLength <= INLINE_BYTES_MAX) {
      this.#kept.push(piece);
      return;
    }
    this.#kept = [];
    if (byteLengthWritten - this.#told < STEP_BYTES) return;
    this.#told = byteLengthWritten;
    this.#tell('grown', byteLengthWritten);
  }

  /** When all of it has been written. */
  async digest(): Promise<string> {
    if (this.#byteLength > INLINE_BYTES_MAX) {
      const {thread, of} = this.#tell('end', this.#byteLength);
      return thread.sum(of);
    }
    const hash = createHash('md5');
    for (const piece of this.#kept) hash.update(piece);
    return hash.digest('hex');
  }

  /** Nobody will ask for it. */
  abandon(): void {
    this.#remote?.thread.abandon(this.#remote.of);
  }

  #tell(is: 'grown' | 'end', byteLength: number): RemoteSum {
    const thread = this.#remote?.thread ?? this.#running();
    const remote = this.#remote ?? {thread, of: thread.begin()};
    this.#remote = remote;
    thread.tell({is, of: remote.of, path: this.#path, byteLength});
    return remote;
  }
}

class ChecksumThread {
  readonly #worker = new Worker(new URL('./checksum-worker.ts', import.meta.url));
  readonly #sums = new Map<number, PromiseWithResolvers<string>>();
  #last = 0;
  isOver = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: ChecksumAnswer) => this.#hear(answer));
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
  }

  begin(): number {
    this.#last += 1;
    const sum = Promise.withResolvers<string>();
    sum.promise.catch(() => undefined);
    this.#sums.set(this.#last, sum);
    if (this.isOver) this.#end();
    return this.#last;
  }

  tell(message: ChecksumMessage): void {
    this.#worker.postMessage(message);
  }

  /** Settled once the thread has been told of the end. */
  sum(of: number): Promise<string> {
    return this.#sums.get(of)?.promise ?? Promise.reject(interrupted());
  }

  abandon(of: number): void {
    this.tell({is: 'abandon', of});
    this.#sums.delete(of);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(answer: ChecksumAnswer): void {
    const sum = this.#sums.get(answer.of);
    this.#sums.delete(answer.of);
    if (answer.is === 'sum') sum?.resolve(answer.checksum);
    else sum?.reject(interrupted());
  }

  #end(): void {
    this.isOver = true;
    for (const sum of this.#sums.values()) sum.reject(interrupted());
    this.#sums.clear();
  }
}

const interrupted = () => unavailable('The upload was interrupted; try again.');
