import type {Bytes} from '../../ports/object-store.ts';
import type {Checksum} from './checksums.ts';

export class TooLarge extends Error {}

/** Content on its way, counted and summed as it goes. */
export class Metered {
  readonly #bytesMax: number;
  readonly #checksum: Checksum;
  byteLength = 0;

  constructor(bytesMax: number, checksum: Checksum) {
    this.#bytesMax = bytesMax;
    this.#checksum = checksum;
  }

  /** Throws `TooLarge` as soon as there are more bytes than allowed. */
  async *through(content: Bytes): AsyncGenerator<Uint8Array> {
    let isWhole = false;
    try {
      for await (const piece of content) {
        this.byteLength += piece.length;
        if (this.byteLength > this.#bytesMax) throw new TooLarge();
        await this.#checksum.update(piece);
        yield piece;
      }
      isWhole = true;
    } finally {
      if (!isWhole) this.#checksum.abandon();
    }
  }
}
