import {afterAll, describe, expect, test} from 'vitest';
import {Databases} from '../../src/adapters/postgres/postgres-harness.ts';
import {SocketClient} from '../api/socket-client.ts';
import {AS_ADMIN, openWholeService, type WholeService} from '../api/whole-service.ts';

const databases = new Databases();
const url = await databases.take();
afterAll(() => databases.close());

const environment = {
  SERVICE_DATABASE_URL: url,
  SERVICE_SECURITY_SECRET_KEY: 'a-secret-that-both-servers-know',
  SERVICE_DATABASE_CONNECTIONS: '4',
};
// Two processes that start on an empty database at once.
const [first, second] = await Promise.all([openWholeService(environment), openWholeService(environment)]);

const DEVICE = {
  version: '1.0',
  nodes: [
    {
      name: 'Device',
      namespace: 'Infra',
      attributes: [{name: 'name', kind: 'Text', unique: true}],
    },
  ],
};

const graphql = (on: WholeService, query: string, headers: Readonly<Record<string, string>> = {}) =>
  on.post('/graphql/main', {query}, {...AS_ADMIN, ...headers});

const behind = (answer: {readonly headers: Headers}): Record<string, string> => ({
  'x-read-after': answer.headers.get('x-commit') ?? '',
});

const createTag = (on: WholeService, name: string) =>
  graphql(on, `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok object { id } } }`);

describe('two servers on one database', () => {
  test('what one has committed the other shows to a request that asks for it', async () => {
    for (const [writer, reader] of [
      [first, second],
      [second, first],
    ] as const) {
      for (let round = 0; round < 10; round += 1) {
        const name = `tag-${writer === first ? 'a' : 'b'}-${round}`;
        const created = await createTag(writer, name);
        expect(created.body.data.BuiltinTagCreate.ok).toBe(true);
        const query = `{ BuiltinTag(name__value: "${name}") { count } }`;
        const seen = await graphql(reader, query, behind(created));
        expect(seen.body.data.BuiltinTag.count).toBe(1);
      }
    }
  });

  test('a schema that one has loaded is the schema of the other', async () => {
    const loaded = await first.post('/api/schema/load', {schemas: [DEVICE]});
    expect(loaded.status).toBe(200);
    const kind = await second.get('/api/schema/InfraDevice', {...AS_ADMIN, ...behind(loaded)});
    expect(kind.status).toBe(200);
    const created = await graphql(
      second,
      'mutation { InfraDeviceCreate(data: {name: {value: "atl1"}}) { ok } }',
      behind(loaded),
    );
    expect(created.body.data?.InfraDeviceCreate.ok).toBe(true);
    const listed = await graphql(first, '{ InfraDevice { count } }', behind(created));
    expect(listed.body.data.InfraDevice.count).toBe(1);
  });

  test('both may change the schema in turn, and its numbers never meet', async () => {
    for (const [place, server] of [first, second, first, second].entries()) {
      const schema = {
        version: '1.0',
        nodes: [
          {
            name: `Thing${place}`,
            namespace: 'Infra',
            attributes: [{name: `value${place}`, kind: 'Text', unique: true}],
          },
        ],
      };
      expect((await server.post('/api/schema/load', {schemas: [schema]})).status).toBe(200);
      const create = `mutation { InfraThing${place}Create(data: {value${place}: {value: "x"}}) { ok } }`;
      expect((await graphql(server, create)).body.data?.[`InfraThing${place}Create`].ok).toBe(true);
    }
    for (const server of [first, second]) {
      const {body} = await server.post('/api/operations/verify');
      expect(body.problems).toEqual([]);
    }
  });

  test('of many that want one value on both servers exactly one gets it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({length: 16}, (_, place) => createTag(place % 2 === 0 ? first : second, `storm-${round}`)),
      );
      const made = answers.filter(({body}) => body.data?.BuiltinTagCreate?.ok === true);
      expect(made).toHaveLength(1);
      for (const {body} of answers) {
        if (body.errors !== undefined) expect(body.errors[0].extensions.code).toBe('CONSTRAINT_VIOLATION');
      }
    }
  });

  test('a branch made on one is written on the other, and merged on the first', async () => {
    const made = await graphql(first, 'mutation { BranchCreate(data: {name: "shared"}) { ok } }');
    expect(made.body.data.BranchCreate.ok).toBe(true);
    const tag = 'mutation { BuiltinTagCreate(data: {name: {value: "on-branch"}}) { ok } }';
    const created = await second.post('/graphql/shared', {query: tag});
    expect(created.body.data.BuiltinTagCreate.ok).toBe(true);
    const merged = await graphql(
      first,
      'mutation { BranchMerge(data: {name: "shared"}) { ok } }',
      behind(created),
    );
    expect(merged.body.data?.BranchMerge.ok, JSON.stringify(merged.body)).toBe(true);
    const query = '{ BuiltinTag(name__value: "on-branch") { count } }';
    expect((await graphql(second, query, behind(merged))).body.data.BuiltinTag.count).toBe(1);
  });

  test('an account that one has deactivated is refused by the other', async () => {
    const account = await graphql(
      first,
      `mutation { CoreAccountCreate(data: {name: {value: "eve"}, password: {value: "passw0rd-of-eve"}}) { object { id } } }`,
    );
    const id = account.body.data.CoreAccountCreate.object.id as string;
    const credentials = {username: 'eve', password: 'passw0rd-of-eve'};
    const session = await second.post('/api/auth/login', credentials, behind(account));
    expect(session.status).toBe(200);
    const eve = {authorization: `Bearer ${session.body.access_token}`};
    expect((await second.get('/api/schema/summary', eve)).status).toBe(200);
    const update = `mutation { CoreAccountUpdate(data: {id: "${id}", status: {value: "inactive"}}) { ok } }`;
    const refused = await graphql(first, update);
    expect(refused.body.data?.CoreAccountUpdate.ok).toBe(true);
    expect((await second.get('/api/schema/summary', {...eve, ...behind(refused)})).status).toBe(401);
  });

  test('events of one reach the subscribers of the other', async () => {
    const address = `${second.address.replace('http', 'ws')}/graphql/main`;
    const client = await new SocketClient(address, 'graphql-ws', AS_ADMIN).opened();
    client.send({type: 'connection_init', payload: {}});
    await client.next();
    const query = 'subscription { event(kinds: ["BuiltinTag"]) { event_type node_id } }';
    client.send({type: 'start', id: '1', payload: {query}});
    client.send({type: 'start', id: 'settled', payload: {query: '{ ServiceInfo { version } }'}});
    for (;;) if ((await client.next()).type === 'complete') break;
    const created = await createTag(first, 'told-elsewhere');
    const told = await client.next();
    expect(told.payload.data.event).toEqual({
      event_type: 'service.node.created',
      node_id: created.body.data.BuiltinTagCreate.object.id,
    });
  });

  test('a commit that nobody has made cannot be waited for', async () => {
    const future = {'x-read-after': '9000000000000000'};
    const answer = await second.get('/api/schema/summary', {...AS_ADMIN, ...future});
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    const bad = await second.get('/api/schema/summary', {...AS_ADMIN, 'x-read-after': 'yesterday'});
    expect(bad.status).toBe(400);
  });

  test('each part of the service says how it is', async () => {
    const {body} = await second.get('/api/health');
    const states = Object.fromEntries(
      (body.checks as {name: string; status: string}[]).map(({name, status}) => [name, status]),
    );
    expect(states).toMatchObject({database: 'up', message_bus: 'up', task_manager: 'up'});
  });
});
