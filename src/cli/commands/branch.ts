import type {Command} from 'commander';
import type {Client} from '../client.ts';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';
import {table} from '../terminal.ts';

interface BranchRow {
  readonly name: string;
  readonly origin_branch: string | null;
  readonly branched_from: string;
  readonly ahead: number;
  readonly behind: number;
  readonly description: string | null;
}

const LIST = '{ Branch { name origin_branch branched_from ahead behind description is_default } }';
const CREATE = 'mutation ($data: BranchCreateInput!) { BranchCreate(data: $data) { ok object { id name } } }';
const DIFF = `query ($branch: String!) {
  DiffTree(branch: $branch, include_parents: false) {
    base_branch diff_branch num_added num_updated num_removed num_conflicts
    nodes { uuid kind label status contains_conflict }
  }
}`;

/** Verbs that take a branch and answer whether they are done. */
const VERBS = {
  merge: {mutation: 'BranchMerge', does: 'bring the changes of a branch into its origin', done: 'merged'},
  rebase: {mutation: 'BranchRebase', does: 'bring a branch up to date with its origin', done: 'rebased'},
  delete: {mutation: 'BranchDelete', does: 'delete a branch and all it holds', done: 'deleted'},
} as const;

export function addBranch(program: Command): void {
  const branch = program.command('branch').description('work with branches');
  branch
    .command('list')
    .description('list all branches')
    .addHelpText('after', examples('branch list', 'branch list --json'))
    .action(async (_options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      const {Branch: rows} = (await client.graphql(LIST)) as {readonly Branch: readonly BranchRow[]};
      terminal.result(rows, () =>
        table(
          ['name', 'origin', 'ahead', 'behind', 'description'],
          rows.map(row => [
            row.name,
            row.origin_branch ?? '',
            String(row.ahead),
            String(row.behind),
            row.description ?? '',
          ]),
        ),
      );
    });
  branch
    .command('create')
    .description('create a branch')
    .argument('<name>')
    .option('--from <branch>', 'the branch to start from; the default branch when absent')
    .option('--at <instant>', 'the instant to start from: ISO 8601, -<n>s|m|h|d')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', examples('branch create dev', 'branch create fix --from dev --at -1h'))
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const {client, terminal} = contextOf(command);
      const data = {
        name,
        origin_branch: options.from,
        branched_from: options.at,
        description: options.description,
      };
      const {BranchCreate} = await client.graphql(CREATE, {data});
      terminal.result(
        (BranchCreate as {readonly object: unknown}).object,
        () => `Branch ${name} was created`,
      );
    });
  addDiff(branch);
  for (const [verb, {mutation, does, done}] of Object.entries(VERBS)) {
    branch
      .command(verb)
      .description(does)
      .argument('<name>')
      .addHelpText('after', examples(`branch ${verb} dev`))
      .action(async (name: string, _options: object, command: Command) => {
        const {client, terminal} = contextOf(command);
        await runVerb(client, mutation, name);
        terminal.result({ok: true, branch: name}, () => `Branch ${name} was ${done}`);
      });
  }
}

interface CreateOptions {
  readonly from?: string;
  readonly at?: string;
  readonly description?: string;
}

interface Conflict {
  readonly path?: string;
  readonly message?: string;
}

/** Conflicts are an answer of their own kind: they end with another code. */
async function runVerb(client: Client, mutation: string, name: string): Promise<void> {
  const query = `mutation ($name: String!) { ${mutation}(data: {name: $name}) { ok } }`;
  const {errors} = await client.graphqlAnswer(query, {name});
  if (errors === undefined) return;
  const list = errors as readonly {
    readonly message: string;
    readonly extensions?: {readonly data?: {readonly conflicts?: readonly Conflict[]}};
  }[];
  const conflicts = list.flatMap(error => error.extensions?.data?.conflicts ?? []);
  const lines = [
    ...list.map(({message}) => message),
    ...conflicts.map(each => `  ${each.path ?? each.message ?? JSON.stringify(each)}`),
  ];
  throw new CommandFailed(conflicts.length > 0 ? CLI_EXIT.problems : CLI_EXIT.failed, lines.join('\n'));
}

interface DiffAnswer {
  readonly num_added: number;
  readonly num_updated: number;
  readonly num_removed: number;
  readonly num_conflicts: number;
  readonly nodes: readonly {
    readonly kind: string;
    readonly label: string;
    readonly status: string;
    readonly contains_conflict: boolean;
  }[];
}

function addDiff(branch: Command): void {
  branch
    .command('diff')
    .description('show what a branch changes')
    .argument('<name>')
    .addHelpText('after', examples('branch diff dev', 'branch diff dev --json'))
    .action(async (name: string, _options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      const {DiffTree: diff} = (await client.graphql(DIFF, {branch: name})) as {
        readonly DiffTree: DiffAnswer;
      };
      terminal.result(diff, () =>
        [
          ...diff.nodes.map(
            ({status, kind, label, contains_conflict}) =>
              `${status.toLowerCase().padEnd(8)} ${kind} ${label}${contains_conflict ? '  CONFLICT' : ''}`,
          ),
          `${diff.num_added} added, ${diff.num_updated} updated, ${diff.num_removed} removed, ${diff.num_conflicts} conflicts`,
        ].join('\n'),
      );
    });
}
