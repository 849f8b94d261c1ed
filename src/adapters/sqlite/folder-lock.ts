import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {isBusy, isDamaged, openRefused, StoreRefused} from './sqlite-error.ts';

/**
 * Holds a data folder for this process until it ends, however it ends: the lock is the operating system's, on a
 * small database beside the data.
 */
export class FolderLock {
  readonly #database: DatabaseSync;

  /** Refuses at once when another process has the folder. */
  constructor(folder: string) {
    const path = join(folder, 'trellis.lock');
    try {
      this.#database = new DatabaseSync(path, {timeout: 0});
    } catch (error) {
      throw openRefused(path, error);
    }
    try {
      this.#database.exec(
        'PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (pid INTEGER)',
      );
    } catch (error) {
      this.#database.close();
      throw refusal(folder, path, error);
    }
  }

  close(): void {
    this.#database.close();
  }
}

function refusal(folder: string, path: string, error: unknown): Error {
  if (isBusy(error)) {
    return new StoreRefused(
      `The data folder ${folder} is in use by another process; stop that one, or choose another folder.`,
      {cause: error},
    );
  }
  if (isDamaged(error)) {
    return new StoreRefused(`${path} is not a lock of this service; remove it and start again.`, {
      cause: error,
    });
  }
  return openRefused(path, error);
}
