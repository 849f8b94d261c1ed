import {text} from 'node:stream/consumers';
import type {Command} from 'commander';
import type {Client} from '../client.ts';
import {contextOf, examples} from '../context.ts';
import {CLI_EXIT, CommandFailed} from '../exit-codes.ts';
import {table} from '../terminal.ts';

const LIST = `{
  CoreAccount {
    edges { node { id name { value } label { value } account_type { value } status { value } } }
  }
}`;
const CREATE =
  'mutation ($data: CoreAccountCreateInput!) { CoreAccountCreate(data: $data) { object { id name { value } } } }';
const UPDATE = 'mutation ($data: CoreAccountUpdateInput!) { CoreAccountUpdate(data: $data) { ok } }';
const FIND = 'query ($name: String!) { CoreAccount(name__value: $name) { edges { node { id } } } }';
const GROUP_FIND =
  'query ($name: String!) { CoreAccountGroup(name__value: $name) { edges { node { id } } } }';

interface Edges<Node> {
  readonly edges: readonly {readonly node: Node}[];
}

interface Account {
  readonly id: string;
  readonly name: {readonly value: string};
  readonly label: {readonly value: string | null};
  readonly account_type: {readonly value: string};
  readonly status: {readonly value: string};
}

/** Accounts live on the default branch. */
export function addUser(program: Command): void {
  const user = program.command('user').description('manage accounts');
  user
    .command('list')
    .description('list all accounts')
    .addHelpText('after', examples('user list'))
    .action(async (_options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      const {CoreAccount} = (await client.graphql(LIST)) as {readonly CoreAccount: Edges<Account>};
      const rows = CoreAccount.edges.map(({node}) => ({
        id: node.id,
        name: node.name.value,
        label: node.label.value,
        type: node.account_type.value,
        status: node.status.value,
      }));
      terminal.result(rows, () =>
        table(
          ['name', 'type', 'status', 'id'],
          rows.map(({name, type, status, id}) => [name, type, status, id]),
        ),
      );
    });
  user
    .command('create')
    .description('create an account; its password comes from standard input')
    .argument('<name>')
    .option('--label <text>', 'a name for people')
    .option('--type <type>', 'User, Script, Bot or Git', 'User')
    .option('--group <name>', 'a group it joins, with all rights of that group')
    .addHelpText(
      'after',
      examples(
        'user create alice --group "Trellis Users" < password.txt',
        'user create sync-bot --type Bot < password.txt',
      ),
    )
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const {client, terminal} = contextOf(command);
      const group =
        options.group === undefined ? undefined : await idOf(client, GROUP_FIND, 'group', options.group);
      const data = {
        name: {value: name},
        password: {value: await readPassword()},
        account_type: {value: options.type},
        ...(options.label === undefined ? {} : {label: {value: options.label}}),
        ...(group === undefined ? {} : {member_of_groups: [{id: group}]}),
      };
      const {CoreAccountCreate} = (await client.graphql(CREATE, {data})) as {
        readonly CoreAccountCreate: {readonly object: {readonly id: string}};
      };
      terminal.result({id: CoreAccountCreate.object.id, name}, () => `Account ${name} was created`);
    });
  addChange(
    user,
    'deactivate',
    'end the sessions and keys of an account, and let nobody in with it',
    async () => ({
      status: {value: 'inactive'},
    }),
  );
  addChange(user, 'activate', 'let an account in again', async () => ({status: {value: 'active'}}));
  addChange(user, 'set-password', 'give an account another password, read from standard input', async () => ({
    password: {value: await readPassword()},
  }));
}

interface CreateOptions {
  readonly label?: string;
  readonly type: string;
  readonly group?: string;
}

function addChange(user: Command, verb: string, does: string, change: () => Promise<object>): void {
  const input = verb === 'set-password' ? ' < password.txt' : '';
  user
    .command(verb)
    .description(does)
    .argument('<name>')
    .addHelpText('after', examples(`user ${verb} alice${input}`))
    .action(async (name: string, _options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      const id = await idOf(client, FIND, 'account', name);
      await client.graphql(UPDATE, {data: {id, ...(await change())}});
      terminal.result({ok: true, name}, () => `Account ${name}: done`);
    });
}

async function idOf(client: Client, query: string, what: string, name: string): Promise<string> {
  const answer = (await client.graphql(query, {name})) as Readonly<
    Record<string, Edges<{readonly id: string}>>
  >;
  const id = Object.values(answer)[0]?.edges[0]?.node.id;
  if (id === undefined) throw new CommandFailed(CLI_EXIT.failed, `There is no ${what} named ${name}`);
  return id;
}

/** A password on the command line would be seen by everybody on the machine. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password, then Ctrl-D: ');
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new CommandFailed(CLI_EXIT.usage, 'The password is read from standard input');
  return password;
}
