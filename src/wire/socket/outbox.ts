import type {Duplex} from 'node:stream';
import type {WebSocket} from 'ws';

/**
 * What goes out on a socket. Past its bound it is full: whoever has more to send waits for room, and nothing more is
 * read from the client meanwhile.
 */
export class Outbox {
  readonly #ws: WebSocket;
  readonly #carrier: Duplex & {readonly bytesWritten?: number};
  readonly #bytesMax: number;
  #waiting: (() => void)[] = [];
  #isCorked = false;
  #taken = 0;
  #stuckSince: number | undefined;

  constructor(ws: WebSocket, carrier: Duplex, bytesMax: number) {
    this.#ws = ws;
    this.#carrier = carrier;
    this.#bytesMax = bytesMax;
    carrier.on('drain', () => this.#drained());
  }

  get isFull(): boolean {
    return this.#ws.bufferedAmount > this.#bytesMax;
  }

  /** What is sent in one turn of the loop goes out together. */
  send(text: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#carrier.cork();
      setImmediate(() => {
        this.#isCorked = false;
        this.#carrier.uncork();
      });
    }
    this.#ws.send(text);
    if (this.isFull && !this.#ws.isPaused) this.#ws.pause();
  }

  /** Frames of text, written as they are. They go out behind all that was sent before. */
  sendFrames(frames: Buffer): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    this.#carrier.write(frames);
    if (this.isFull && !this.#ws.isPaused) this.#ws.pause();
  }

  /** Ends when there is room, or when nobody may wait any more. */
  room(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }

  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  /** How long the client has taken nothing while something waited for it, as seen from call to call. */
  stuckMillis(nowMillis: number): number {
    const unsent = this.#ws.bufferedAmount;
    const taken = (this.#carrier.bytesWritten ?? 0) - unsent;
    if (unsent === 0 || taken !== this.#taken) this.#stuckSince = undefined;
    this.#taken = taken;
    if (unsent === 0) return 0;
    this.#stuckSince ??= nowMillis;
    return nowMillis - this.#stuckSince;
  }

  #drained(): void {
    if (this.isFull) return;
    if (this.#ws.isPaused) this.#ws.resume();
    this.release();
  }
}
