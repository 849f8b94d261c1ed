import type {ByteRange} from '../domain/storage/byte-range.ts';
import type {ObjectId, StoredObject} from '../domain/storage/stored-object.ts';

export type Bytes = AsyncIterable<Uint8Array>;

export type PutOutcome =
  | {readonly is: 'stored'; readonly object: StoredObject}
  /** The content has more bytes than allowed; nothing of it is kept. */
  | {readonly is: 'too-large'};

export interface OpenedObject {
  /** Of the whole object, also when only a part is read. */
  readonly byteLength: number;
  readonly content: Bytes;
}

/**
 * Bytes under identifiers of their own. An object never changes and never goes.
 *
 * A `put` that is answered survives the loss of the process and of power; one that fails, or whose content fails while
 * it is read, leaves nothing. Neither way is content ever whole in memory.
 */
export interface ObjectStore {
  put(content: Bytes, options: {readonly bytesMax: number}): Promise<PutOutcome>;
  /** Undefined when there is no such object. */
  size(identifier: ObjectId): Promise<number | undefined>;
  /** The range lies within the object. Whoever opens an object reads its content, or ends the reading of it. */
  open(identifier: ObjectId, range?: ByteRange): Promise<OpenedObject | undefined>;
  close(): Promise<void>;
}
