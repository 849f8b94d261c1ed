import {createHash} from 'node:crypto';
import type {ObjectId} from '../../domain/storage/stored-object.ts';
import type {GraphStore, VerifyReport} from '../../ports/graph-store.ts';
import type {Bytes, ObjectStore} from '../../ports/object-store.ts';

const PAGE_ROWS = 500;
const PROBLEMS_MAX = 100;

interface Deps {
  readonly store: Pick<GraphStore, 'branches' | 'snapshot'>;
  readonly objects: ObjectStore;
}

/** Reads every stored object that an artifact of some branch speaks of, and compares it with the checksum kept there. */
export async function verifyObjects({store, objects}: Deps): Promise<VerifyReport> {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const {name} of await store.branches()) {
    for await (const [identifier, checksum] of artifacts(store, name)) {
      const key = `${identifier} ${checksum}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const problem = await problemOf(objects, identifier as ObjectId, checksum);
      if (problem !== undefined && problems.length < PROBLEMS_MAX) problems.push(problem);
    }
  }
  return {checked: {objects: seen.size}, problems};
}

/** The identifiers and checksums that artifacts of a branch speak of. */
async function* artifacts(
  store: Deps['store'],
  branch: Parameters<GraphStore['branch']>[0],
): AsyncGenerator<readonly [identifier: string, checksum: string]> {
  const snapshot = await store.snapshot({branch});
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const {found, hasMore} = await snapshot.query({kind: 'CoreArtifact', page: {limit: PAGE_ROWS, offset}});
    for (const {node} of found) {
      const [identifier, checksum] = [node.value('storage_id'), node.value('checksum')];
      if (typeof identifier === 'string' && typeof checksum === 'string') yield [identifier, checksum];
    }
    if (!hasMore) return;
  }
}

async function problemOf(
  objects: ObjectStore,
  identifier: ObjectId,
  checksum: string,
): Promise<string | undefined> {
  const opened = await objects.open(identifier);
  if (opened === undefined) return `the stored object ${identifier} is missing`;
  return (await md5Of(opened.content)) === checksum
    ? undefined
    : `the stored object ${identifier} is damaged`;
}

async function md5Of(content: Bytes): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
