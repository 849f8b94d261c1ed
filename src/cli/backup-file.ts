import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {pipeline, Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';
import type {Manifest} from '../adapters/backup/manifest.ts';
import {readArchive} from '../adapters/backup/read-archive.ts';
import {ArchiveDamaged} from '../adapters/backup/tar.ts';
import {CLI_EXIT, CommandFailed} from './exit-codes.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The bytes of an archive; those of a compressed one as they were before. */
export async function openBackupFile(
  file: string,
  onBytes: (bytes: number) => void,
): Promise<{readonly bytes: number; readonly chunks: AsyncIterable<Uint8Array>}> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new CommandFailed(CLI_EXIT.failed, `There is no file ${file}`);
  const raw = counted(createReadStream(file, {highWaterMark: CHUNK_BYTES}), onBytes);
  return {bytes: found.size, chunks: file.endsWith('.gz') ? unzipped(raw) : raw};
}

function unzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const unzip = createGunzip();
  // Whoever reads what comes out is told when something breaks.
  pipeline(Readable.from(chunks), unzip, () => {});
  return unzip;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Checks every byte of an archive, and unpacks it when there is a folder to put it in. */
export async function readBackupFile(
  file: string,
  folder: string | undefined,
  onBytes: (bytes: number) => void,
): Promise<Manifest> {
  const {chunks} = await openBackupFile(file, onBytes);
  return asDamage(file, () => readArchive(chunks, folder));
}

/** Tells of damage, also of that which the decompression finds. */
export async function asDamage<T>(file: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const isZip = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (!(error instanceof ArchiveDamaged) && !isZip) throw error;
    throw new CommandFailed(CLI_EXIT.problems, `${file} is damaged: ${error.message}`, {cause: error});
  }
}
