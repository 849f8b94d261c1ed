import {assert} from '../../base/assert.ts';

// The archive is a plain tar (ustar): any tool can look into it. Sizes of 8 GiB and more stand in base 256, as GNU tar
// writes them.

export const BLOCK_BYTES = 512;

const NAME = {at: 0, bytes: 100};
const SIZE = {at: 124, bytes: 12};
const CHECKSUM = {at: 148, bytes: 8};
const OCTAL_SIZE_MAX = 0o77777777777;
const BASE_256 = 0x80;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

export class ArchiveDamaged extends Error {
  override name = 'ArchiveDamaged';
}

export function headerOf({name, bytes}: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  assert(Buffer.byteLength(name) < NAME.bytes, `${name} fits in a header`);
  header.write(name, NAME.at);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  writeSize(header, bytes);
  header.write('00000000000\0', 136);
  header.write('        ', CHECKSUM.at);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at);
  return header;
}

function writeSize(header: Buffer, bytes: number): void {
  if (bytes <= OCTAL_SIZE_MAX) {
    header.write(`${bytes.toString(8).padStart(11, '0')}\0`, SIZE.at);
    return;
  }
  header[SIZE.at] = BASE_256;
  header.writeBigUInt64BE(BigInt(bytes), SIZE.at + 4);
}

/** Undefined for the empty block that ends an archive. */
export function parseHeader(header: Buffer): TarEntry | undefined {
  if (header.every(byte => byte === 0)) return undefined;
  const written = Number.parseInt(textAt(header, CHECKSUM), 8);
  if (written !== sumOf(header)) throw new ArchiveDamaged('a header of the archive is damaged');
  const isBase256 = header[SIZE.at] === BASE_256;
  const bytes = isBase256
    ? Number(header.readBigUInt64BE(SIZE.at + 4))
    : Number.parseInt(textAt(header, SIZE), 8);
  return {name: textAt(header, NAME), bytes};
}

/** The sum of all bytes, those of the checksum itself taken as blanks. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) {
    const isChecksum = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.bytes;
    sum += isChecksum ? 0x20 : byte;
  }
  return sum;
}

function textAt(header: Buffer, {at, bytes}: {readonly at: number; readonly bytes: number}): string {
  const [text = ''] = header.toString('utf8', at, at + bytes).split('\0');
  return text.trim();
}

/** What fills the last block of an entry. */
export const paddingFor = (bytes: number): Buffer =>
  Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK_BYTES);
