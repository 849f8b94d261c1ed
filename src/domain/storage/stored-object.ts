import type {Brand} from '../../base/brand.ts';

/** Names bytes that were stored; a UUID. */
export type ObjectId = Brand<string, 'ObjectId'>;

/** Bytes as they were stored, once and for ever. */
export interface StoredObject {
  readonly identifier: ObjectId;
  /** MD5 of the bytes, in lower-case hex. */
  readonly checksum: string;
  readonly byteLength: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Undefined for what names no object: such a text never reaches a path or a key. */
export function parseObjectId(text: string): ObjectId | undefined {
  const lower = text.toLowerCase();
  return UUID.test(lower) ? (lower as ObjectId) : undefined;
}
