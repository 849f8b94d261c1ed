import {readFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import {type Command, InvalidArgumentError} from 'commander';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';

interface Options {
  readonly branch?: string;
  readonly at?: string;
  readonly file?: string;
  readonly variables: object;
}

export function addQuery(program: Command): void {
  program
    .command('query')
    .description('run a GraphQL query or mutation and print its answer as JSON')
    .argument('[query]', 'the query; - reads it from standard input')
    .option('--file <file>', 'read the query from a file')
    .option('--branch <name>', 'the branch; the default branch when absent')
    .option('--at <instant>', 'read at an instant: ISO 8601, -<n>s|m|h|d')
    .option('--variables <json>', 'the variables, as a JSON object', parseVariables, {})
    .addHelpText(
      'after',
      examples(
        `query '{ BuiltinTag { count } }'`,
        'query --file devices.graphql --branch dev',
        `query --variables '{"name": "red"}' --file tag.graphql`,
      ),
    )
    .action(async (given: string | undefined, options: Options, command: Command) => {
      const {client, terminal} = contextOf(command);
      const query = await queryOf(given, options.file);
      const answer = await client.graphqlAnswer(query, options.variables, options.branch, options.at);
      terminal.result(answer, () => JSON.stringify(answer, null, 2));
      if (answer.errors !== undefined) throw new CommandFailed(CLI_EXIT.failed, '');
    });
}

function parseVariables(given: string): object {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below, with what is expected.
  }
  throw new InvalidArgumentError('it must be a JSON object');
}

async function queryOf(given: string | undefined, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    return readFile(file, 'utf8').catch((error: Error) => {
      throw new CommandFailed(CLI_EXIT.failed, `${file} cannot be read: ${error.message}`, {cause: error});
    });
  }
  if (given === '-') return text(process.stdin);
  if (given === undefined) throw new CommandFailed(CLI_EXIT.usage, 'Give a query, a --file, or - to read it');
  return given;
}
