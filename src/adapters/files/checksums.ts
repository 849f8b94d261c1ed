import {createHash} from 'node:crypto';
import {Worker} from 'node:worker_threads';
import {unavailable} from '../../domain/errors.ts';
import type {ChecksumAnswer, ChecksumMessage} from './checksum-worker.ts';

/** Up to so many bytes are summed at once when they are all there; more than that would hold up others. */
const INLINE_BYTES_MAX = 1_048_576;
/** How much may be on its way to the thread. */
const BYTES_UNDERWAY_MAX = 4_194_304;

/** MD5 takes longer than all else that is done with a large content, so a thread does it while more arrives. */
export class Checksums {
  readonly #open = new Map<number, Remote>();
  #worker: Worker | undefined;
  #last = 0;

  begin(): Checksum {
    return new Checksum(() => this.#beginRemote());
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #beginRemote(): Remote {
    const worker = this.#worker ?? this.#start();
    this.#last += 1;
    const of = this.#last;
    const remote = new Remote(of, worker, () => this.#open.delete(of));
    this.#open.set(of, remote);
    return remote;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', (answer: ChecksumAnswer) => this.#open.get(answer.of)?.hear(answer));
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const remote of this.#open.values()) remote.fail();
    };
    worker.on('exit', forget);
    worker.on('error', forget);
    this.#worker = worker;
    return worker;
  }
}

/** The sum of one content, piece by piece. */
export class Checksum {
  readonly #beginRemote: () => Remote;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #remote: Remote | undefined;

  constructor(beginRemote: () => Remote) {
    this.#beginRemote = beginRemote;
  }

  /** Resolves when there is room for more. */
  async update(piece: Uint8Array): Promise<void> {
    if (this.#remote !== undefined) return this.#remote.update(piece);
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
    if (this.#keptBytes <= INLINE_BYTES_MAX) return;
    this.#remote = this.#beginRemote();
    for (const kept of this.#kept.splice(0)) await this.#remote.update(kept);
  }

  async digest(): Promise<string> {
    if (this.#remote !== undefined) return this.#remote.digest();
    const hash = createHash('md5');
    for (const piece of this.#kept) hash.update(piece);
    return hash.digest('hex');
  }

  /** Nobody will ask for it. */
  abandon(): void {
    this.#remote?.abandon();
  }
}

class Remote {
  readonly #of: number;
  readonly #worker: Worker;
  readonly #end: () => void;
  readonly #sum = Promise.withResolvers<string>();
  #underway = 0;
  #room = Promise.withResolvers<void>();

  constructor(of: number, worker: Worker, end: () => void) {
    this.#of = of;
    this.#worker = worker;
    this.#end = end;
    this.#sum.promise.catch(() => undefined);
  }

  async update(piece: Uint8Array): Promise<void> {
    // The bytes are copied: their memory is often a part of what others read from.
    const own = new Uint8Array(piece);
    this.#underway += own.length;
    this.#send({is: 'piece', of: this.#of, piece: own}, [own.buffer]);
    if (this.#underway < BYTES_UNDERWAY_MAX) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
  }

  digest(): Promise<string> {
    this.#send({is: 'end', of: this.#of});
    return this.#sum.promise;
  }

  abandon(): void {
    this.#send({is: 'abandon', of: this.#of});
    this.#end();
  }

  hear(answer: ChecksumAnswer): void {
    if (answer.is === 'sum') {
      this.#end();
      this.#sum.resolve(answer.checksum);
      return;
    }
    this.#underway -= answer.byteLength;
    if (this.#underway < BYTES_UNDERWAY_MAX) this.#room.resolve();
  }

  fail(): void {
    this.#end();
    this.#room.resolve();
    this.#sum.reject(unavailable('The upload was interrupted; try again.'));
  }

  #send(message: ChecksumMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
