import {resolve} from 'node:path';
import {type Restored, RestoreRefused, restoreBackup} from '../adapters/backup/restore-backup.ts';
import {systemClock} from '../adapters/clock/system-clock.ts';
import {StoreRefused} from '../adapters/sqlite/sqlite-error.ts';
import {asDamage, openBackupFile} from './backup-file.ts';
import {CLI_EXIT, CommandFailed} from './exit-codes.ts';
import type {Progress} from './terminal.ts';

interface RestoreFile {
  readonly file: string;
  readonly folder: string;
  readonly force: boolean;
  readonly progress: Progress;
}

/** Puts the backup of a file in the place of a data folder; whatever stands against it is told in a sentence. */
export async function restoreFile(request: RestoreFile): Promise<Restored & {readonly folder: string}> {
  const {file, force, progress} = request;
  const folder = resolve(request.folder);
  const {chunks} = await openBackupFile(file, bytes => progress.add(bytes));
  const onStep = (step: string) => {
    if (step === 'verifying') progress.stop();
  };
  try {
    const restored = await asDamage(file, () =>
      restoreBackup({chunks, folder, clock: systemClock, force, onStep}),
    );
    return {...restored, folder};
  } catch (error) {
    if (error instanceof RestoreRefused || error instanceof StoreRefused) {
      throw new CommandFailed(CLI_EXIT.failed, error.message, {cause: error});
    }
    throw error;
  }
}
