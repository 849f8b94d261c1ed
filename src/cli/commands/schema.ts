import {readFile} from 'node:fs/promises';
import {extname} from 'node:path';
import type {Command} from 'commander';
import type {Answer} from '../client.ts';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';

interface Options {
  readonly branch?: string;
}

interface Diff {
  readonly added: object;
  readonly changed: object;
  readonly removed: object;
}

export function addSchema(program: Command): void {
  const schema = program.command('schema').description('load and check schema documents');
  for (const verb of ['load', 'check'] as const) {
    schema
      .command(verb)
      .description(verb === 'load' ? 'load schema documents into a branch' : 'check them without loading')
      .argument('<files...>', 'YAML or JSON files, one schema document in each')
      .option('--branch <name>', 'the branch; the default branch when absent')
      .addHelpText('after', examples(`schema ${verb} network.yml`, `schema ${verb} --branch dev *.yml`))
      .action(async (files: readonly string[], {branch}: Options, command: Command) => {
        const {client, terminal} = contextOf(command);
        const schemas = await Promise.all(files.map(readDocument));
        const query = branch === undefined ? '' : `?branch=${encodeURIComponent(branch)}`;
        const answer = await client.post(`/api/schema/${verb}${query}`, {schemas});
        terminal.result(answer, () => summaryOf(verb, answer));
      });
  }
}

async function readDocument(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(CLI_EXIT.failed, `${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const {parse} = await import('yaml');
  try {
    return extname(file) === '.json' ? JSON.parse(text) : parse(text, {version: '1.1'});
  } catch (error) {
    throw new CommandFailed(CLI_EXIT.failed, `${file} is not valid: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function summaryOf(verb: 'load' | 'check', answer: Answer): string {
  const diff = answer.diff as Diff;
  const warnings = answer.warnings as readonly {readonly message: string}[];
  const changes = Object.entries(diff).flatMap(([what, kinds]) =>
    Object.keys(kinds as object).map(kind => `  ${what} ${kind}`),
  );
  const head =
    changes.length === 0
      ? 'The schema is up to date'
      : verb === 'load'
        ? 'The schema was loaded'
        : 'The schema is valid';
  return [head, ...changes, ...warnings.map(({message}) => `warning: ${message}`)].join('\n');
}
