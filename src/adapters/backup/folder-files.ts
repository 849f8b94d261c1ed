import {readdir} from 'node:fs/promises';
import {join} from 'node:path';

/** What of a data folder is kept beside the database; the rest can be made or fetched again. */
const KEPT_FOLDERS = ['objects'];
const KEPT_FILES = ['secret.key'];

/** A file that is being written has no name yet under which it could be asked for. */
const isUnfinished = (name: string): boolean => name.startsWith('.') || /\.(?:tmp|new|part)$/.test(name);

export const DATABASE = 'trellis.db';

/** The paths of everything but the database that belongs in a backup, relative to the folder. */
export async function keptFiles(folder: string): Promise<readonly string[]> {
  const top = await readdir(folder);
  const found = KEPT_FILES.filter(name => top.includes(name));
  for (const name of KEPT_FOLDERS) {
    if (!top.includes(name)) continue;
    for (const entry of await readdir(join(folder, name), {recursive: true, withFileTypes: true})) {
      if (!entry.isFile() || isUnfinished(entry.name)) continue;
      found.push(join(entry.parentPath, entry.name).slice(folder.length + 1));
    }
  }
  return found.sort();
}

/** Top-level names that a restore replaces. */
export const REPLACED: readonly string[] = [
  DATABASE,
  `${DATABASE}-wal`,
  `${DATABASE}-shm`,
  ...KEPT_FOLDERS,
  ...KEPT_FILES,
];
