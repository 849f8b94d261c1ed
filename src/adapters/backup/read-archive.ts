import {createHash} from 'node:crypto';
import {type FileHandle, mkdir, open} from 'node:fs/promises';
import {dirname, join, normalize, sep} from 'node:path';
import {MANIFEST, type Manifest, parseManifest} from './manifest.ts';
import {ArchiveDamaged, BLOCK_BYTES, parseHeader} from './tar.ts';

const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;

/** Reads so many bytes at a time as are asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** At most so many, at least one; undefined at the end. */
  async some(bytesMax: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      this.#rest = Buffer.from(next.value);
    }
    const some = this.#rest.subarray(0, bytesMax);
    this.#rest = this.#rest.subarray(some.length);
    return some;
  }

  async exactly(bytes: number, each: (chunk: Buffer) => Promise<void> | void): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const chunk = await this.some(left);
      if (chunk === undefined) throw new ArchiveDamaged('it is cut short');
      await each(chunk);
      left -= chunk.length;
    }
  }

  async block(): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.exactly(BLOCK_BYTES, chunk => void parts.push(chunk));
    return Buffer.concat(parts);
  }
}

/**
 * Unpacks an archive into a folder, or only reads it through when there is none, and checks every byte of it: what is
 * there is what the manifest says, no more and no less. What it wrote is on the disk when it returns.
 */
export async function readArchive(
  chunks: AsyncIterable<Uint8Array>,
  folder: string | undefined,
): Promise<Manifest> {
  const bytes = new Bytes(chunks);
  const found = new Map<string, {readonly bytes: number; readonly sha256: string}>();
  for (;;) {
    const entry = parseHeader(await bytes.block());
    if (entry === undefined) throw new ArchiveDamaged('it has no manifest');
    if (entry.name === MANIFEST) {
      const manifest = parseManifest(await textOf(bytes, entry.bytes));
      compare(manifest, found);
      return manifest;
    }
    const sha256 = await unpack(
      bytes,
      entry.bytes,
      folder === undefined ? undefined : placeOf(folder, entry.name),
    );
    found.set(entry.name, {bytes: entry.bytes, sha256});
  }
}

async function textOf(bytes: Bytes, size: number): Promise<string> {
  if (size > MANIFEST_BYTES_MAX) throw new ArchiveDamaged('its manifest is damaged');
  const parts: Buffer[] = [];
  await bytes.exactly(size, chunk => void parts.push(chunk));
  return Buffer.concat(parts).toString();
}

/** An archive of somebody else must not write outside the folder. */
function placeOf(folder: string, name: string): string {
  const path = join(folder, normalize(name));
  if (!path.startsWith(folder + sep)) throw new ArchiveDamaged(`${name} leads out of the folder`);
  return path;
}

async function unpack(bytes: Bytes, size: number, path: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  const file = path === undefined ? undefined : await create(path);
  try {
    await bytes.exactly(size, async chunk => {
      hash.update(chunk);
      await file?.writeFile(chunk);
    });
    await file?.sync();
  } finally {
    await file?.close();
  }
  await bytes.exactly((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES, () => {});
  return hash.digest('hex');
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), {recursive: true, mode: 0o700});
  return open(path, 'wx', 0o600);
}

function compare(
  {files}: Manifest,
  found: ReadonlyMap<string, {readonly bytes: number; readonly sha256: string}>,
): void {
  for (const {path, bytes, sha256} of files) {
    const there = found.get(path);
    if (there === undefined) throw new ArchiveDamaged(`${path} is missing`);
    if (there.bytes !== bytes || there.sha256 !== sha256) throw new ArchiveDamaged(`${path} is damaged`);
  }
  if (found.size !== files.length) throw new ArchiveDamaged('it has files that its manifest does not name');
}
