import type {Command} from 'commander';
import type {Client} from '../client.ts';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';

interface Options {
  readonly dataDir?: string;
  readonly file?: string;
}

interface Report {
  readonly checked: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('prove that everything stored is sound: of a service, a stopped data folder, or a backup')
    .option('--data-dir <folder>', 'a data folder whose service is stopped')
    .option('--file <backup>', 'a backup')
    .addHelpText('after', examples('verify', 'verify --data-dir ./data', 'verify --file nightly.tar'))
    .action(async (options: Options, command: Command) => {
      const {client, terminal} = contextOf(command);
      const {checked, problems} = await reportOf(options, client);
      const isSound = problems.length === 0;
      terminal.result({is_sound: isSound, checked, problems}, () =>
        [
          ...Object.entries(checked).map(([what, count]) => `${count} ${what} checked`),
          ...problems.map(problem => `PROBLEM ${problem}`),
          isSound ? 'Everything is sound' : `${problems.length} problems`,
        ].join('\n'),
      );
      if (!isSound) throw new CommandFailed(CLI_EXIT.problems, '');
    });
}

async function reportOf({dataDir, file}: Options, client: Client): Promise<Report> {
  if (file !== undefined) {
    const {readBackupFile} = await import('../backup-file.ts');
    const {files} = await readBackupFile(file, undefined, () => {});
    return {checked: {files: files.length}, problems: []};
  }
  if (dataDir !== undefined) {
    const {verifyFolder} = await import('../verify-folder.ts');
    return verifyFolder(dataDir);
  }
  return (await client.post('/api/operations/verify')) as unknown as Report;
}
