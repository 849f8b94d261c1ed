import type {Bytes} from '../../ports/object-store.ts';

export class TooLarge extends Error {}

/** Content on its way. Throws `TooLarge` as soon as there are more bytes than allowed. */
export async function* bounded(
  content: Bytes,
  bytesMax: number,
  onPiece: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let byteLength = 0;
  for await (const piece of content) {
    byteLength += piece.length;
    if (byteLength > bytesMax) throw new TooLarge();
    onPiece(piece);
    yield piece;
  }
}
