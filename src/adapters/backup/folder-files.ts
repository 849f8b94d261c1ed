import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join, relative} from 'node:path';

/** What of a data folder is kept beside the database; the rest can be made or fetched again. */
const OBJECTS = 'storage';
const KEPT_FILES = ['secret.key'];

/** A file that is being written has no name yet under which it could be asked for. */
const isUnfinished = (name: string): boolean => name.startsWith('.') || /\.(?:tmp|new|part)$/.test(name);

export const DATABASE = 'trellis.db';

export interface KeptFile {
  /** In the archive, and in a folder that is restored from it. */
  readonly path: string;
  readonly file: string;
}

/** Everything but the database that belongs in a backup. Stored objects may be in a folder of their own. */
export async function keptFiles(
  folder: string,
  storageFolder: string | undefined,
): Promise<readonly KeptFile[]> {
  const top = await readdir(folder);
  const found: KeptFile[] = KEPT_FILES.filter(name => top.includes(name)).map(name => ({
    path: name,
    file: join(folder, name),
  }));
  const objects = storageFolder ?? join(folder, OBJECTS);
  for (const entry of await entriesOf(objects)) {
    if (!entry.isFile() || isUnfinished(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    found.push({path: join(OBJECTS, relative(objects, file)), file});
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, {recursive: true, withFileTypes: true});
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Top-level names that a restore replaces. */
export const REPLACED: readonly string[] = [
  DATABASE,
  `${DATABASE}-wal`,
  `${DATABASE}-shm`,
  OBJECTS,
  ...KEPT_FILES,
];
