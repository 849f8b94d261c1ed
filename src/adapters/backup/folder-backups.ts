import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {mkdir, readdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Backup, Backups} from '../../ports/backups.ts';
import type {Clock} from '../../ports/clock.ts';
import {snapshotDatabase} from './database-snapshot.ts';
import {DATABASE, keptFiles} from './folder-files.ts';
import {MANIFEST, MANIFEST_FORMAT, type Manifest} from './manifest.ts';
import {END_OF_ARCHIVE, headerOf, paddingFor} from './tar.ts';

const CHUNK_BYTES = 1024 * 1024;
const WORK = /^(?:backup-(?<pid>\d+)-\d+|restore)\.tmp$/;

export interface BackupOptions {
  /** Absolute. */
  readonly folder: string;
  /** Where stored objects are when not in the folder itself. */
  readonly storageFolder?: string | undefined;
  readonly version: string;
  readonly clock: Clock;
}

/**
 * Backups of a data folder, whether or not a service works on it. The database is copied first and the objects after
 * it: an object is stored before the commit that speaks of it, and never changes.
 */
export class FolderBackups implements Backups {
  readonly #options: BackupOptions;
  #count = 0;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  async open(): Promise<Backup> {
    const {folder} = this.#options;
    this.#count += 1;
    const work = join(folder, `backup-${process.pid}-${this.#count}.tmp`);
    await rm(work, {recursive: true, force: true});
    await mkdir(work, {mode: 0o700});
    try {
      const copy = join(work, DATABASE);
      const facts = await snapshotDatabase(join(folder, DATABASE), copy);
      const parts = [{path: DATABASE, file: copy}, ...(await keptFiles(folder, this.#options.storageFolder))];
      const sizes = await Promise.all(parts.map(async ({file}) => (await stat(file)).size));
      const about = {
        format: MANIFEST_FORMAT,
        service_version: this.#options.version,
        deployment_id: facts.deploymentId,
        made_at: new Date(this.#options.clock.nowMicros() / 1000).toISOString(),
        commit: facts.commit,
      };
      return {
        commit: facts.commit,
        bytesAbout: sizes.reduce((sum, bytes) => sum + bytes, 0),
        content: archive(parts, about, work),
      };
    } catch (error) {
      await rm(work, {recursive: true, force: true});
      throw error;
    }
  }
}

/** Removes what backups and restores left behind that were ended in the middle by the end of their process. */
export async function removeUnfinishedBackups(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const match = WORK.exec(name);
    if (match === null || isAlive(Number(match.groups?.pid))) continue;
    await rm(join(folder, name), {recursive: true, force: true});
  }
}

/** Another process may be at a backup of the same folder. */
function isAlive(pid: number): boolean {
  if (Number.isNaN(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function* archive(
  parts: readonly {readonly path: string; readonly file: string}[],
  about: Omit<Manifest, 'files'>,
  work: string,
): AsyncGenerator<Uint8Array> {
  try {
    const files: Manifest['files'] = [];
    for (const {path, file} of parts) {
      const bytes = (await stat(file)).size;
      yield headerOf({name: path, bytes});
      const hash = createHash('sha256');
      let sent = 0;
      for await (const chunk of createReadStream(file, {highWaterMark: CHUNK_BYTES})) {
        hash.update(chunk as Buffer);
        sent += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
      if (sent !== bytes) throw new Error(`${path} changed while it was copied`);
      yield paddingFor(bytes);
      files.push({path, bytes, sha256: hash.digest('hex')});
    }
    const manifest = Buffer.from(`${JSON.stringify({...about, files} satisfies Manifest, null, 2)}\n`);
    yield headerOf({name: MANIFEST, bytes: manifest.length});
    yield manifest;
    yield paddingFor(manifest.length);
    yield END_OF_ARCHIVE;
  } finally {
    await rm(work, {recursive: true, force: true});
  }
}
