import {Command, Option} from 'commander';
import {VERSION} from '../main/version.ts';
import {addBackup} from './commands/backup.ts';
import {addBranch} from './commands/branch.ts';
import {addCompletion} from './commands/completion.ts';
import {addMigrateTo} from './commands/migrate-to.ts';
import {addQuery} from './commands/query.ts';
import {addRestore} from './commands/restore.ts';
import {addSchema} from './commands/schema.ts';
import {addToken} from './commands/token.ts';
import {addUser} from './commands/user.ts';
import {addVerify} from './commands/verify.ts';
import {examples} from './context.ts';
import {CLI_EXIT} from './exit-codes.ts';

const exitCodes = Object.values(CLI_EXIT)
  .map(({code, why}) => `  ${code}  ${why}`)
  .join('\n');

export function createProgram(): Command {
  const program = new Command('trellis')
    .description('Works with a Trellis service over its public interface.')
    .version(VERSION)
    .addOption(
      new Option('--address <url>', 'where the service is')
        .env('TRELLIS_ADDRESS')
        .default('http://127.0.0.1:8000'),
    )
    .addOption(new Option('--token <key>', 'an API key').env('TRELLIS_TOKEN'))
    .addOption(new Option('--username <name>', 'log in with this name').env('TRELLIS_USERNAME'))
    .addOption(new Option('--password <text>', 'and this password').env('TRELLIS_PASSWORD'))
    .option('--json', 'print results as JSON')
    .showHelpAfterError('(add --help for more)')
    .addHelpText(
      'after',
      `${examples(
        '--username admin --password service branch list',
        'schema load network.yml --branch dev',
        'backup nightly.tar',
      )}\nExit codes:\n${exitCodes}\n`,
    );
  for (const add of [
    addBackup,
    addRestore,
    addVerify,
    addMigrateTo,
    addSchema,
    addBranch,
    addQuery,
    addUser,
    addToken,
    addCompletion,
  ]) {
    add(program);
  }
  return throwing(program);
}

/** Wrong use throws, so that it ends with our own exit code. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const each of command.commands) throwing(each);
  return command;
}
