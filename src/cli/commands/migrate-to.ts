import type {Command} from 'commander';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';

interface Options {
  readonly dataDir: string;
}

export function addMigrateTo(program: Command): void {
  program
    .command('migrate-to')
    .argument('<url>', 'an empty PostgreSQL database: postgres://user:password@host:port/database')
    .description('copy the embedded database of a stopped data folder to PostgreSQL, verified by hash')
    .option('--data-dir <folder>', 'a data folder whose service is stopped', './data')
    .addHelpText('after', examples('migrate-to postgres://trellis@db/trellis --data-dir ./data'))
    .action(async (url: string, {dataDir}: Options, command: Command) => {
      const {terminal} = contextOf(command);
      const {moveToPostgres} = await import('../../adapters/postgres/move-to-postgres.ts');
      try {
        const tables = await moveToPostgres({folder: dataDir, url});
        terminal.result({tables}, () =>
          [
            ...tables.map(({table, rows, sha256}) => `${table}: ${rows} rows, ${sha256.slice(0, 16)}`),
            'Everything arrived as it was sent. Start the service with SERVICE_DATABASE_URL.',
          ].join('\n'),
        );
      } catch (error) {
        throw new CommandFailed(CLI_EXIT.failed, (error as Error).message, {cause: error});
      }
    });
}
