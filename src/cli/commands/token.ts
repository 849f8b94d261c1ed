import type {Command} from 'commander';
import {contextOf, examples} from '../context.ts';
import {table} from '../terminal.ts';

const CREATE = `mutation ($data: ServiceAccountTokenCreateInput!) {
  ServiceAccountTokenCreate(data: $data) { object { id token { value } } }
}`;
const LIST = '{ ServiceAccountToken { edges { node { id name expiration } } } }';
const DELETE = 'mutation ($id: String!) { ServiceAccountTokenDelete(data: {id: $id}) { ok } }';

interface Created {
  readonly ServiceAccountTokenCreate: {
    readonly object: {readonly id: string; readonly token: {readonly value: string}};
  };
}

interface Listed {
  readonly ServiceAccountToken: {
    readonly edges: readonly {
      readonly node: {readonly id: string; readonly name: string | null; readonly expiration: string | null};
    }[];
  };
}

interface CreateOptions {
  readonly account?: string;
  readonly expiration?: string;
}

export function addToken(program: Command): void {
  const token = program.command('token').description('manage API keys');
  token
    .command('create')
    .description('make an API key; its secret is shown this once')
    .argument('<name>', 'what it is for')
    .option('--account <id>', 'the account it is for; your own when absent')
    .option('--expiration <instant>', 'when it ends, ISO 8601')
    .addHelpText('after', examples('token create ci', 'token create ci --expiration 2030-01-01T00:00:00Z'))
    .action(async (name: string, {account, expiration}: CreateOptions, command: Command) => {
      const {client, terminal} = contextOf(command);
      const data = {
        name: {value: name},
        ...(account === undefined ? {} : {account: {id: account}}),
        ...(expiration === undefined ? {} : {expiration: {value: expiration}}),
      };
      const {object} = ((await client.graphql(CREATE, {data})) as unknown as Created)
        .ServiceAccountTokenCreate;
      terminal.result({id: object.id, token: object.token.value}, () => object.token.value);
    });
  token
    .command('list')
    .description('list your own API keys; secrets are never shown again')
    .addHelpText('after', examples('token list'))
    .action(async (_options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      const {edges} = ((await client.graphql(LIST)) as unknown as Listed).ServiceAccountToken;
      const rows = edges.map(({node}) => node);
      terminal.result(rows, () =>
        table(
          ['id', 'name', 'expiration'],
          rows.map(row => [row.id, row.name ?? '', row.expiration ?? 'never']),
        ),
      );
    });
  token
    .command('delete')
    .description('end an API key at once')
    .argument('<id>')
    .addHelpText('after', examples('token delete 17f8e8a2-…'))
    .action(async (id: string, _options: object, command: Command) => {
      const {client, terminal} = contextOf(command);
      await client.graphql(DELETE, {id});
      terminal.result({ok: true, id}, () => `Key ${id} was deleted`);
    });
}
