import {describe, expect, test} from 'vitest';
import {ADMIN_KEY, bearer, MAIN, openAccessWorld} from './access-world.ts';

const world = await openAccessWorld();
const admin = await world.idOf('CoreAccount', 'admin');
const general = await world.idOf('CoreAccountRole', 'General Access');
const anna = await world.account('anna', [general]);
const bert = await world.account('bert', []);

const info = (headers: Record<string, string>) => world.ask('GET', '/api/schema/summary', {headers});
const refused = (message: string) => ({status: 401, body: {errors: [message]}});

async function run(query: string, headers: Readonly<Record<string, string>> = ADMIN_KEY, branch?: string) {
  const answer = await world.graphql(query, headers, branch);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function create(data: string, headers?: Readonly<Record<string, string>>) {
  const body = await run(
    `mutation {ServiceAccountTokenCreate(data: {${data}}) {ok object {id token {value}}}}`,
    headers,
  );
  expect(body.errors).toBeUndefined();
  const {ok, object} = body.data.ServiceAccountTokenCreate;
  expect(ok).toBe(true);
  return {id: object.id as string, secret: object.token.value as string};
}

const list = async (headers: Readonly<Record<string, string>>) =>
  (await run('{ServiceAccountToken {count edges {node {id name expiration last_used_at}}}}', headers)).data
    .ServiceAccountToken;

describe('an API key', () => {
  test('is made for the caller or for a named account, and lets in as that account', async () => {
    for (const data of [
      'name: {value: "ci"}',
      `name: {value: "ci"}, account: {id: "${admin}"}`,
      `account: {id: "${anna.id}"}`,
      '',
    ]) {
      const {secret} = await create(data);
      const {data: answered} = await run('{AccountProfile {name {value}}}', {'x-api-key': secret});
      expect(answered.AccountProfile.name.value).toBe(data.includes(anna.id) ? 'anna' : 'admin');
    }
  });

  test('is listed by its owner without its secret, and stored as a hash', async () => {
    const {id, secret} = await create('name: {value: "listed"}', anna.key);
    const {edges} = await list(anna.key);
    expect(edges.map(({node}: {node: {id: string}}) => node.id)).toContain(id);
    expect(JSON.stringify(await list(ADMIN_KEY))).not.toContain(id);
    const head = await world.store.snapshot({branch: MAIN});
    expect(JSON.stringify((await head.query({kind: 'InternalAccountToken'})).found)).not.toContain(secret);
  });

  test('ends at once when it is deleted', async () => {
    const {id, secret} = await create('name: {value: "short"}', anna.key);
    const headers = {'x-service-key': secret};
    expect((await info(headers)).status).toBe(200);
    const body = await run(`mutation {ServiceAccountTokenDelete(data: {id: "${id}"}) {ok}}`, anna.key);
    expect(body).toEqual({data: {ServiceAccountTokenDelete: {ok: true}}});
    expect(await info(headers)).toMatchObject(refused('Invalid token'));
  });

  test('expires', async () => {
    const ends = new Date(world.time.micros / 1000 + 60_000).toISOString();
    const {secret} = await create(`expiration: {value: "${ends}"}`, anna.key);
    const headers = {'x-service-key': secret};
    expect((await info(headers)).status).toBe(200);
    world.pass(61);
    expect(await info(headers)).toMatchObject(refused('Expired Signature'));
  });

  test.each([
    ['in the past', 'expiration: {value: "2001-01-01T00:00:00Z"}'],
    ['that is no time', 'expiration: {value: "soon"}'],
  ])('cannot expire %s', async (_what, data) => {
    const body = await run(`mutation {ServiceAccountTokenCreate(data: {${data}}) {ok}}`);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });

  test('tells when it was last used, in one commit for many uses', async () => {
    const {id, secret} = await create('name: {value: "used"}', bert.key);
    for (let use = 0; use < 5; use += 1) await info({'x-service-key': secret});
    const commits = async () =>
      (await world.store.commits({branch: MAIN, limit: 1000, newestFirst: true})).length;
    const before = await commits();
    await world.access.keyUses.record();
    await world.access.keyUses.record();
    expect(await commits()).toBe(before + 1);
    const {edges} = await list(bert.key);
    const used = edges.find(({node}: {node: {id: string}}) => node.id === id);
    expect(Date.parse(used.node.last_used_at)).toBeLessThanOrEqual(world.time.micros / 1000);
    expect(Date.parse(used.node.last_used_at)).toBeGreaterThan(world.time.micros / 1000 - 1000);
  });

  test('the names of the reference work, with its flat input', async () => {
    const body = await run(
      'mutation {InfrahubAccountTokenCreate(data: {name: "flat"}) {ok object {id token {value}}}}',
      anna.key,
    );
    const {id, token} = body.data.InfrahubAccountTokenCreate.object;
    expect((await info({'x-infrahub-key': token.value})).status).toBe(200);
    const {data} = await run('{InfrahubAccountToken(limit: 100) {edges {node {id}}}}', anna.key);
    expect(JSON.stringify(data)).toContain(id);
    await run(`mutation {InfrahubAccountTokenDelete(data: {id: "${id}"}) {ok}}`, anna.key);
    expect((await info({'x-infrahub-key': token.value})).status).toBe(401);
  });

  test('works on a branch that the caller may not write', async () => {
    const body = await run('mutation {ServiceAccountTokenCreate(data: {}) {ok}}', bert.key);
    expect(body).toEqual({data: {ServiceAccountTokenCreate: {ok: true}}});
  });
});

describe('keys of others', () => {
  test('are made only by those who manage accounts', async () => {
    const query = `mutation {ServiceAccountTokenCreate(data: {account: {id: "${admin}"}}) {ok object {id}}}`;
    const body = await run(query, anna.key);
    expect(body.data.ServiceAccountTokenCreate).toBe(null);
    expect(body.errors[0].extensions.code).toBe('PERMISSION_DENIED');
  });

  test('cannot be deleted, nor told from keys that are not there', async () => {
    const {id, secret} = await create('name: {value: "of admin"}');
    for (const target of [id, '00000000-0000-4000-8000-000000000000', anna.id]) {
      const body = await run(`mutation {ServiceAccountTokenDelete(data: {id: "${target}"}) {ok}}`, anna.key);
      expect(body.errors[0].extensions.code).toBe('NODE_NOT_FOUND');
      expect(body.errors[0].message).toContain(target);
    }
    expect((await info({'x-service-key': secret})).status).toBe(200);
  });

  test('are not made for accounts that are not there', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', general]) {
      const body = await run(`mutation {ServiceAccountTokenCreate(data: {account: {id: "${id}"}}) {ok}}`);
      expect(body.errors[0].extensions.code).toBe('NODE_NOT_FOUND');
    }
  });
});

describe('the own account', () => {
  test('may get a new password and description from its owner, without any permission', async () => {
    const body = await run(
      'mutation {ServiceAccountSelfUpdate(data: {password: "new words", description: "me"}) {ok}}',
      bert.key,
    );
    expect(body).toEqual({data: {ServiceAccountSelfUpdate: {ok: true}}});
    const {body: session} = await world.logIn('bert', 'new words');
    const {data} = await run('{AccountProfile {description {value}}}', bearer(session.access_token));
    expect(data.AccountProfile.description.value).toBe('me');
  });

  test('cannot lose its password', async () => {
    const body = await run('mutation {ServiceAccountSelfUpdate(data: {password: ""}) {ok}}', bert.key);
    expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });

  test('tells its permissions', async () => {
    const query = `{ServicePermissions {
      global_permissions {count edges {node {action decision identifier}}}
      object_permissions {count edges {node {namespace name action decision identifier}}}
    }}`;
    const {ServicePermissions: of} = (await run(query, anna.key)).data;
    expect([of.global_permissions.count, of.object_permissions.count]).toEqual([3, 2]);
    expect(
      of.object_permissions.edges.map(({node}: {node: {identifier: string}}) => node.identifier).sort(),
    ).toEqual(['object:*:*:any:allow_other', 'object:*:*:view:allow_all']);
    const none = (await run(query, bert.key)).data.ServicePermissions;
    expect([none.global_permissions.count, none.object_permissions.count]).toEqual([0, 0]);
  });
});

test('each key and password change leaves an audit line, without the secret', async () => {
  const {id, secret} = await create('name: {value: "audited"}');
  await run(`mutation {ServiceAccountTokenDelete(data: {id: "${id}"}) {ok}}`);
  const audit = world.lines.filter(({logger, key}) => logger === 'audit' && key === id);
  expect(audit.map(({message, by}) => [message, by])).toEqual([
    ['API key created', admin],
    ['API key deleted', admin],
  ]);
  expect(world.lines.map(({message}) => message)).toContain('password changed');
  expect(JSON.stringify(world.lines)).not.toContain(secret);
  expect(JSON.stringify(world.lines)).not.toContain('new words');
});
