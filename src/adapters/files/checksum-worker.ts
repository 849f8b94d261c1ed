import {createHash, type Hash} from 'node:crypto';
import {closeSync, openSync, readSync} from 'node:fs';
import {parentPort} from 'node:worker_threads';
import {must} from '../../base/assert.ts';

export type ChecksumMessage =
  /** So many bytes of the file are there by now. */
  | {readonly is: 'grown' | 'end'; readonly of: number; readonly path: string; readonly byteLength: number}
  | {readonly is: 'abandon'; readonly of: number};

export type ChecksumAnswer =
  | {readonly is: 'sum'; readonly of: number; readonly checksum: string}
  | {readonly is: 'failed'; readonly of: number};

/** A file that grows, summed as far as it is known to be there. */
interface Underway {
  readonly file: number;
  readonly hash: Hash;
  read: number;
}

const port = must(parentPort, 'the port of a worker');
const underway = new Map<number, Underway>();
const block = Buffer.allocUnsafe(1_048_576);

function sumUpTo(sum: Underway, byteLength: number): void {
  while (sum.read < byteLength) {
    const count = readSync(sum.file, block, 0, Math.min(block.length, byteLength - sum.read), sum.read);
    if (count === 0) throw new Error('The file is shorter than it was said to be');
    sum.hash.update(block.subarray(0, count));
    sum.read += count;
  }
}

function end(of: number): void {
  const sum = underway.get(of);
  underway.delete(of);
  if (sum !== undefined) closeSync(sum.file);
}

function begun(of: number, path: string): Underway {
  const known = underway.get(of);
  if (known !== undefined) return known;
  const sum = {file: openSync(path, 'r'), hash: createHash('md5'), read: 0};
  underway.set(of, sum);
  return sum;
}

port.on('message', (message: ChecksumMessage) => {
  const {of} = message;
  try {
    if (message.is === 'abandon') return end(of);
    const sum = begun(of, message.path);
    sumUpTo(sum, message.byteLength);
    if (message.is === 'grown') return;
    end(of);
    port.postMessage({is: 'sum', of, checksum: sum.hash.digest('hex')} satisfies ChecksumAnswer);
  } catch {
    end(of);
    port.postMessage({is: 'failed', of} satisfies ChecksumAnswer);
  }
});
