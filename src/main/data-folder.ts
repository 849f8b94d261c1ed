import {mkdir, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {RESTORE_MARK} from '../adapters/backup/restore-backup.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import {SETTINGS} from './settings/table.ts';

const {variable} = SETTINGS.dataFolder;

/** The absolute path of the data folder, which is there and can be written when this returns. */
export async function prepareDataFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const existing = await stat(folder).catch(() => undefined);
  if (existing !== undefined && !existing.isDirectory()) {
    throw refused(`${folder} is a file; point ${variable} at a folder`);
  }
  try {
    await makeFolder(folder);
  } catch (error) {
    throw refused(
      `${folder} cannot be created (${codeOf(error)}); create it or choose another ${variable}`,
      error,
    );
  }
  if (await stat(join(folder, RESTORE_MARK)).catch(() => undefined)) {
    throw refused(`${folder} is half way through a restore; run the restore again, with --force`);
  }
  const probe = join(folder, `.write-probe-${process.pid}`);
  try {
    await writeFile(probe, 'probe', {flag: 'w'});
  } catch (error) {
    throw refused(`${folder} cannot be written (${codeOf(error)}); ${remedy(error)}`, error);
  } finally {
    await rm(probe, {force: true}).catch(() => undefined);
  }
  return folder;
}

/** Node's own way to make the folders above as well never ends where none can be made, as under `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, {mode: 0o700});
  try {
    await make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}

const refused = (message: string, cause?: unknown) =>
  new StartRefused(EXIT.dataFolder, `The data folder ${message}.`, {cause});

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

function remedy(error: unknown): string {
  return codeOf(error) === 'ENOSPC'
    ? 'free some space on its disk'
    : `give this user the right to write there or choose another ${variable}`;
}
