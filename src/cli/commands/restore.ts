import {stat} from 'node:fs/promises';
import type {Command} from 'commander';
import {contextOf, examples} from '../context.ts';

interface Options {
  readonly dataDir: string;
  readonly force?: boolean;
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('put a backup in the place of a data folder whose service is stopped')
    .argument('<file>', 'an archive that `trellis backup` wrote')
    .option('--data-dir <folder>', 'the data folder', './data')
    .option('--force', 'replace what is there; it is moved aside, not deleted')
    .addHelpText('after', examples('restore nightly.tar --data-dir ./data', 'restore nightly.tar.gz --force'))
    .action(async (file: string, {dataDir, force = false}: Options, command: Command) => {
      const {terminal} = contextOf(command);
      const {restoreFile} = await import('../restore-file.ts');
      const progress = terminal.progress('Reading', (await stat(file).catch(() => undefined))?.size ?? 0);
      try {
        const {folder, manifest, aside} = await restoreFile({file, folder: dataDir, force, progress});
        terminal.result(
          {folder, commit: manifest.commit, made_at: manifest.made_at, aside: aside ?? null},
          () =>
            [
              `Restored the backup of ${manifest.made_at} into ${folder}`,
              ...(aside === undefined ? [] : [`What was there before is in ${aside}`]),
            ].join('\n'),
        );
      } finally {
        progress.stop();
      }
    });
}
