import type {GitFile} from '../../ports/git-host.ts';
import {type GitRun, gitOutput} from './run-git.ts';

const HEADER_BYTES_MAX = 8192;
const NEW_LINE = 0x0a;

/**
 * Reads what `git cat-file --batch --follow-symlinks` answers to one name. Git follows links inside the repository
 * itself, and says so when one leads out of it.
 */
export async function readBlob(run: GitRun, bytesMax: number): Promise<GitFile> {
  const output = gitOutput(run);
  const {header, rest} = await readHeader(output);
  const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(header) ?? [];
  const byteLength = Number(size);
  if (type === 'blob' && byteLength <= bytesMax) {
    return {is: 'file', byteLength, content: contentOf(rest, output, byteLength)};
  }
  await output.return();
  if (type === 'blob') return {is: 'too-large', byteLength};
  return {is: header.startsWith('symlink ') ? 'outside' : 'missing'};
}

async function readHeader(
  output: AsyncGenerator<Buffer, void, undefined>,
): Promise<{readonly header: string; readonly rest: Buffer}> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(NEW_LINE);
    if (end >= 0) return {header: read.toString('utf8', 0, end), rest: read.subarray(end + 1)};
    const next = read.byteLength < HEADER_BYTES_MAX ? await output.next() : undefined;
    if (next === undefined || next.done === true) return {header: '', rest: read};
    read = Buffer.concat([read, next.value]);
  }
}

/** Exactly the bytes of the file: what follows them is Git's. */
async function* contentOf(
  first: Buffer,
  output: AsyncGenerator<Buffer, void, undefined>,
  byteLength: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = byteLength;
  let part: Buffer | undefined = first;
  try {
    while (part !== undefined) {
      const own = part.subarray(0, left);
      left -= own.byteLength;
      if (own.byteLength > 0) yield own;
      if (left === 0) return;
      const next: IteratorResult<Buffer, void> = await output.next();
      part = next.done === true ? undefined : next.value;
    }
  } finally {
    await output.return();
  }
}
