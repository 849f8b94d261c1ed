import {createHash, type Hash} from 'node:crypto';
import {parentPort} from 'node:worker_threads';
import {must} from '../../base/assert.ts';

export type ChecksumMessage =
  | {readonly is: 'piece'; readonly of: number; readonly piece: Uint8Array}
  | {readonly is: 'end'; readonly of: number}
  | {readonly is: 'abandon'; readonly of: number};

export type ChecksumAnswer =
  | {readonly is: 'taken'; readonly of: number; readonly byteLength: number}
  | {readonly is: 'sum'; readonly of: number; readonly checksum: string};

const port = must(parentPort, 'the port of a worker');
const hashes = new Map<number, Hash>();

port.on('message', (message: ChecksumMessage) => {
  const {of} = message;
  const hash = hashes.get(of) ?? createHash('md5');
  if (message.is === 'piece') {
    hashes.set(of, hash.update(message.piece));
    port.postMessage({is: 'taken', of, byteLength: message.piece.length} satisfies ChecksumAnswer);
    return;
  }
  hashes.delete(of);
  if (message.is === 'end') {
    port.postMessage({is: 'sum', of, checksum: hash.digest('hex')} satisfies ChecksumAnswer);
  }
});
