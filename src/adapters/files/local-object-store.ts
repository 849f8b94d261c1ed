import {createReadStream, createWriteStream} from 'node:fs';
import {mkdir, open, readdir, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {unavailable} from '../../domain/errors.ts';
import type {ByteRange} from '../../domain/storage/byte-range.ts';
import type {ObjectId} from '../../domain/storage/stored-object.ts';
import type {Ids} from '../../ports/ids.ts';
import type {Bytes, ObjectStore, OpenedObject, PutOutcome} from '../../ports/object-store.ts';
import {bounded, TooLarge} from './bounded.ts';
import {FileChecksums} from './file-checksums.ts';

const PIECE_BYTES = 262_144;
const UNFINISHED = '.part';

/** One file for each object, under its identifier. A file gets that name when all of it is on the disk. */
export class LocalObjectStore implements ObjectStore {
  readonly #folder: string;
  readonly #ids: Ids;
  readonly #checksums = new FileChecksums();

  constructor(folder: string, ids: Ids) {
    this.#folder = folder;
    this.#ids = ids;
  }

  async put(content: Bytes, {bytesMax}: {readonly bytesMax: number}): Promise<PutOutcome> {
    const identifier = this.#ids.nodeId() as string as ObjectId;
    const path = this.#path(identifier);
    const unfinished = `${path}${UNFINISHED}`;
    const sum = this.#checksums.begin(unfinished);
    let byteLength = 0;
    let checksum: string;
    const file = createWriteStream(unfinished, {flags: 'wx', flush: true, highWaterMark: PIECE_BYTES});
    try {
      const pieces = bounded(content, bytesMax, piece => {
        byteLength += piece.length;
        sum.add(piece, file.bytesWritten);
      });
      await pipeline(pieces, file);
      checksum = await sum.digest();
      await rename(unfinished, path);
      await syncFolder(this.#folder);
    } catch (error) {
      sum.abandon();
      // A file that is given up while it is being opened is there only afterwards.
      if (!file.closed) await new Promise<void>(resolve => file.once('close', resolve));
      await rm(unfinished, {force: true});
      if (error instanceof TooLarge) return {is: 'too-large'};
      throw asUnavailable(error);
    }
    return {is: 'stored', object: {identifier, checksum, byteLength}};
  }

  async size(identifier: ObjectId): Promise<number | undefined> {
    try {
      return (await stat(this.#path(identifier))).size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async open(identifier: ObjectId, range?: ByteRange): Promise<OpenedObject | undefined> {
    const byteLength = await this.size(identifier);
    if (byteLength === undefined) return undefined;
    const part = range === undefined ? {} : {start: range.first, end: range.last};
    const content = createReadStream(this.#path(identifier), {...part, highWaterMark: PIECE_BYTES});
    return {byteLength, content};
  }

  close(): Promise<void> {
    return this.#checksums.close();
  }

  #path(identifier: ObjectId): string {
    return join(this.#folder, identifier);
  }
}

/** The folder is there when this returns, without what a process that was killed has left unfinished. */
export async function openLocalObjectStore(folder: string, ids: Ids): Promise<LocalObjectStore> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  for (const name of await readdir(folder)) {
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), {force: true});
  }
  return new LocalObjectStore(folder, ids);
}

/** A new name is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const NO_ROOM = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO']);

/** Content that breaks off keeps its own error; a disk that takes no more is nobody's fault who uploads. */
function asUnavailable(error: unknown): unknown {
  const code = codeOf(error);
  if (!NO_ROOM.has(code)) return error;
  return unavailable(`The object could not be stored (${String(code)}); nothing of it was kept`, {
    cause: error,
  });
}
