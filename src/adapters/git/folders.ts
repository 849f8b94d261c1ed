import {randomUUID} from 'node:crypto';
import {mkdir, readdir, rename, rm, stat, symlink, unlink, utimes} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import type {GitCommit} from '../../domain/repository/git-commit.ts';

const KEPT_MAX = 8;

/** Writes the files of a commit into an empty folder. */
export type WriteFiles = (folder: string) => Promise<void>;

/**
 * Folders with the files of commits, under `root/<commit>`. A folder appears whole, by a rename; the ones that were used
 * longest ago go when there are more than a few and nobody is in them.
 */
export class CommitFolders {
  readonly #root: string;
  readonly #users = new Map<string, number>();
  readonly #making = new Map<string, Promise<void>>();

  constructor(root: string) {
    this.#root = root;
  }

  async use<T>(commit: GitCommit, write: WriteFiles, body: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.#root, commit);
    this.#users.set(commit, (this.#users.get(commit) ?? 0) + 1);
    try {
      await this.#ensure(commit, folder, write);
      return await body(folder);
    } finally {
      const users = (this.#users.get(commit) ?? 1) - 1;
      if (users > 0) this.#users.set(commit, users);
      else this.#users.delete(commit);
    }
  }

  #ensure(commit: GitCommit, folder: string, write: WriteFiles): Promise<void> {
    const making = this.#making.get(commit) ?? this.#make(folder, write);
    this.#making.set(commit, making);
    return making.finally(() => this.#making.delete(commit));
  }

  async #make(folder: string, write: WriteFiles): Promise<void> {
    const now = new Date();
    const isThere = await utimes(folder, now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    const draft = join(this.#root, `.${randomUUID()}`);
    await mkdir(draft, {recursive: true, mode: 0o755});
    try {
      await write(draft);
      // Another process may have made the same folder meanwhile; its files are the same.
      await rename(draft, folder).catch(async error => {
        await stat(folder).catch(() => {
          throw error as Error;
        });
      });
    } finally {
      await rm(draft, {recursive: true, force: true});
    }
    await this.#dropOldest();
  }

  async #dropOldest(): Promise<void> {
    const names = (await readdir(this.#root)).filter(name => !name.startsWith('.') && !this.#users.has(name));
    const surplus = names.length + this.#users.size - KEPT_MAX;
    if (surplus <= 0) return;
    const aged = await Promise.all(
      names.map(async name => ({name, usedAt: (await stat(join(this.#root, name))).mtimeMs})),
    );
    aged.sort((a, b) => a.usedAt - b.usedAt);
    for (const {name} of aged.slice(0, surplus)) {
      await rm(join(this.#root, name), {recursive: true, force: true});
    }
  }
}

/**
 * Puts a link in the place of the text that Git left there. Both paths are files of the commit, so whatever the
 * link said, it now leads nowhere else.
 */
export async function placeLink(folder: string, path: string, target: string): Promise<void> {
  const place = join(folder, path);
  await unlink(place);
  await symlink(relative(dirname(place), join(folder, target)), place);
}
