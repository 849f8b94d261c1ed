import {access, mkdir, open, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Clock} from '../../ports/clock.ts';
import {FolderLock} from '../sqlite/folder-lock.ts';
import {openSqliteGraphStore} from '../sqlite/sqlite-graph-store.ts';
import {DATABASE, REPLACED} from './folder-files.ts';
import type {Manifest} from './manifest.ts';
import {readArchive} from './read-archive.ts';
import {ArchiveDamaged} from './tar.ts';

/** Stands in a folder whose contents are being exchanged; a service refuses to start on it. */
export const RESTORE_MARK = 'restore.unfinished';

const STAGE = 'restore.tmp';

export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

export interface RestoreRequest {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Absolute; it need not exist. */
  readonly folder: string;
  readonly clock: Clock;
  /** Replace what is there. It is moved aside, not deleted. */
  readonly force: boolean;
  readonly onStep: (step: 'unpacking' | 'verifying' | 'replacing') => void;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the contents went that were there before; absent when there were none. */
  readonly aside: string | undefined;
}

/**
 * Puts a backup in the place of a data folder. Everything is unpacked beside it and verified first, the graph included;
 * until then nothing of the folder has changed. A restore that was ended in the middle can simply be begun again.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const {folder, force, onStep} = request;
  await mkdir(folder, {recursive: true, mode: 0o700});
  const lock = new FolderLock(folder);
  try {
    const isUnfinished = await exists(join(folder, RESTORE_MARK));
    const isOccupied = isUnfinished || (await exists(join(folder, DATABASE)));
    if (isOccupied && !force) {
      throw new RestoreRefused(
        `${folder} has data already; choose another folder, or say --force to replace it`,
      );
    }
    const stage = join(folder, STAGE);
    await rm(stage, {recursive: true, force: true});
    await mkdir(stage, {mode: 0o700});
    onStep('unpacking');
    const manifest = await readArchive(request.chunks, stage);
    onStep('verifying');
    await verifyStage(stage, request.clock);
    onStep('replacing');
    return {manifest, aside: await replace(folder, stage, request.clock)};
  } finally {
    await rm(join(folder, STAGE), {recursive: true, force: true});
    lock.close();
  }
}

async function verifyStage(stage: string, clock: Clock): Promise<void> {
  if (!(await exists(join(stage, DATABASE)))) throw new ArchiveDamaged('it has no database');
  const store = await openSqliteGraphStore({folder: stage, clock, readWorkers: 0});
  try {
    const {problems} = await store.verify();
    if (problems.length > 0) throw new ArchiveDamaged(problems.join('; '));
  } finally {
    await store.close();
  }
}

async function replace(folder: string, stage: string, clock: Clock): Promise<string | undefined> {
  const stamp = new Date(clock.nowMicros() / 1000).toISOString().replace(/[:.]/g, '-');
  const aside = join(folder, `before-restore-${stamp}`);
  await writeFile(join(folder, RESTORE_MARK), '');
  await sync(folder);
  let moved = 0;
  for (const name of REPLACED) {
    if (!(await exists(join(folder, name)))) continue;
    await mkdir(aside, {recursive: true, mode: 0o700});
    await rename(join(folder, name), join(aside, name));
    moved += 1;
  }
  for (const name of await readdir(stage)) {
    if (REPLACED.includes(name)) await rename(join(stage, name), join(folder, name));
  }
  await sync(folder);
  await rm(join(folder, RESTORE_MARK));
  await sync(folder);
  return moved === 0 ? undefined : aside;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
