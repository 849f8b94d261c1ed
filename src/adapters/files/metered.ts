import {createHash} from 'node:crypto';
import type {Bytes} from '../../ports/object-store.ts';

export class TooLarge extends Error {}

/** Content on its way, counted and summed as it goes. */
export class Metered {
  readonly #bytesMax: number;
  readonly #hash = createHash('md5');
  byteLength = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Throws `TooLarge` as soon as there are more bytes than allowed. */
  async *through(content: Bytes): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      this.byteLength += piece.length;
      if (this.byteLength > this.#bytesMax) throw new TooLarge();
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** MD5 of all that went through; asked for once. */
  checksum(): string {
    return this.#hash.digest('hex');
  }
}
