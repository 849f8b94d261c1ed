import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import {unavailable} from '../../src/domain/errors.ts';
import {type GraphqlWorld, MAIN, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;

beforeAll(async () => {
  world = await openGraphql();
  for (const name of ['work', 'team/work']) {
    const branch = {name: name as BranchName, origin: MAIN, description: '', syncWithGit: false};
    await world.store.createBranch(branch, {account: null});
    await world.data(`mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok } }`, {
      branch: encodeURIComponent(name),
    });
  }
});

afterAll(() => world.close());

const TAGS = '{ BuiltinTag { edges { node { name { value } } } } }';

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  world.server.inject({method: 'POST', url, payload: payload as object, headers});

const tagsOf = (body: string) =>
  (
    JSON.parse(body) as {data: {BuiltinTag: {edges: {node: {name: {value: string}}}[]}}}
  ).data.BuiltinTag.edges.map(({node}) => node.name.value);

describe('the branch of a request', () => {
  test.each([
    ['/graphql', []],
    ['/graphql/main', []],
    ['/graphql/work', ['work']],
    ['/graphql?branch=work', ['work']],
    ['/graphql/team/work', ['team/work']],
    ['/graphql/team%2Fwork', ['team/work']],
    ['/graphql/work?branch=work&', ['work']],
  ])('of %s is the one it names', async (url, tags) => {
    const response = await post(url, {query: TAGS});
    expect([response.statusCode, tagsOf(response.body)]).toEqual([200, tags]);
  });

  test('that does not exist is 404 with a GraphQL body', async () => {
    const response = await post('/graphql/nowhere', {query: TAGS});
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({
      data: null,
      errors: [
        {message: 'Branch: nowhere not found.', extensions: {code: 'BRANCH_NOT_FOUND', http_status: 404}},
      ],
    });
  });

  test('named twice and differently is 400, and nothing is written', async () => {
    const query = 'mutation { BuiltinTagCreate(data: {name: {value: "lost"}}) { ok } }';
    const response = await post('/graphql/work?branch=main', {query});
    expect(response.statusCode).toBe(400);
    expect(tagsOf((await post('/graphql', {query: TAGS})).body)).toEqual([]);
  });
});

describe('a request that is no GraphQL', () => {
  test.each([
    ['no JSON', '{', 'application/json'],
    ['a batch', '[]', 'application/json'],
    ['no query', '{}', 'application/json'],
    ['a query that is no text', '{"query": 1}', 'application/json'],
    ['variables that are no object', '{"query": "{ __typename }", "variables": []}', 'application/json'],
    [
      'an operation name that is no text',
      '{"query": "{ __typename }", "operationName": 3}',
      'application/json',
    ],
    ['no body', '', 'application/json'],
    ['another content type', 'query', 'text/plain'],
  ])('(%s) is 400 with a code', async (_what, payload, type) => {
    const response = await world.server.inject({
      method: 'POST',
      url: '/graphql',
      payload,
      headers: {'content-type': type},
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      data: null,
      errors: [{extensions: {code: 'VALIDATION_ERROR', http_status: 400}}],
    });
  });

  test('a mutation with a query parameter that nobody knows is 422 and writes nothing', async () => {
    const query = 'mutation { BuiltinTagCreate(data: {name: {value: "stray"}}) { ok } }';
    expect((await post('/graphql?brnach=work', {query})).statusCode).toBe(422);
    expect(tagsOf((await post('/graphql', {query: TAGS})).body)).toEqual([]);
  });
});

describe('a query that cannot be run', () => {
  test.each([
    ['a syntax error', '{ BuiltinTag {'],
    ['an unknown field', '{ BuiltinTag { nothing } }'],
    ['an unknown kind', '{ NoSuchKind { count } }'],
    ['fragments in a circle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['a value of the wrong type', '{ BuiltinTag(limit: "many") { count } }'],
    ['no operation', 'fragment A on Query { __typename }'],
    ['two operations and no name', 'query A { __typename } query B { __typename }'],
    ['a missing variable', 'query ($n: Int!) { BuiltinTag(limit: $n) { count } }'],
    ['a subscription', 'subscription { event { event_type } }'],
  ])('(%s) is 200 with data null and a code', async (_what, query) => {
    const response = await post('/graphql', {query});
    expect(response.statusCode).toBe(200);
    const body = response.json<{data: null; errors: {extensions: object}[]}>();
    expect(body.data).toBe(null);
    expect(body.errors[0]?.extensions).toMatchObject({code: 'VALIDATION_ERROR', http_status: 422});
  });

  test('tells a client that knows GraphQL over HTTP by its status', async () => {
    const accept = 'application/graphql-response+json, application/json;q=0.9';
    const refused = await post('/graphql', {query: '{ nothing }'}, {accept});
    expect(refused.statusCode).toBe(400);
    expect(refused.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
    const partial = await post('/graphql', {query: '{ BuiltinTag(first: -1) { count } }'}, {accept});
    expect(partial.statusCode).toBe(200);
    expect(partial.json()).toMatchObject({data: {BuiltinTag: null}});
  });

  test('wrong operation names and times are validation errors', async () => {
    const named = await world.run('query A { __typename }', {operationName: 'B'});
    expect(named.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
    const dated = await world.run('{ __typename }', {at: 'yesterday'});
    expect(dated.errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  });
});

describe('what clients write', () => {
  test('errors are absent on success, and the type is JSON', async () => {
    const response = await post('/graphql', {query: '{ __typename }', variables: null, operationName: null});
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).toBe('{"data":{"__typename":"Query"}}');
  });

  test('variables that are not declared, aliases with underscores and fragments without a space are fine', async () => {
    const query = 'query Q { __a: BuiltinTag { __n: count edges { node { ...on BuiltinTag { id } } } } }';
    const data = await world.data(query, {variables: {stray: 1}});
    expect(data).toEqual({__a: {__n: 0, edges: []}});
  });

  test('a mutation works on the head, whatever instant is named', async () => {
    const query =
      'mutation { BuiltinTagCreate(data: {name: {value: "dated"}}) { object { name { value } } } }';
    const data = await world.data(query, {branch: 'work', at: '-1s'});
    expect(data).toEqual({BuiltinTagCreate: {object: {name: {value: 'dated'}}}});
  });
});

describe('GET', () => {
  test('serves queries with variables', async () => {
    const query = encodeURIComponent(
      'query ($n: Int) { BuiltinTag(limit: $n) { edges { node { name { value } } } } }',
    );
    const variables = encodeURIComponent('{"n": 1}');
    const response = await world.server.inject({
      url: `/graphql/team/work?query=${query}&variables=${variables}`,
    });
    expect([response.statusCode, tagsOf(response.body)]).toEqual([200, ['team/work']]);
  });

  test('refuses mutations', async () => {
    const query = encodeURIComponent('mutation { BuiltinTagCreate(data: {name: {value: "got"}}) { ok } }');
    const response = await world.server.inject({url: `/graphql?query=${query}`});
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST']);
  });

  test('gives a browser a page that needs nothing from elsewhere', async () => {
    const response = await world.server.inject({url: '/graphql/work', headers: {accept: 'text/html,*/*'}});
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toContain("script-src 'self';");
    const addresses = [...response.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.filter(address => !address.startsWith('/graphiql/'))).toEqual(['data:,']);
  });

  test('gives the parts of that page to keep for good, under addresses that change with them', async () => {
    const page = await world.server.inject({url: '/graphql', headers: {accept: 'text/html'}});
    const addresses = [...page.body.matchAll(/"(\/graphiql\/[^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBe(6);
    for (const url of addresses) {
      const {statusCode, headers} = await world.server.inject({url});
      expect([url, statusCode, headers['cache-control']]).toEqual([
        url,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const again = await world.server.inject({url, headers: {'if-none-match': String(headers.etag)}});
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
  });

  test('gives the schema of a branch as text', async () => {
    const response = await world.server.inject({url: '/schema.graphql?branch=work'});
    expect(response.body).toContain('type InfraDevice implements InfraEndpoint & CoreNode {');
    expect((await world.server.inject({url: '/schema.graphql?branch=nowhere'})).statusCode).toBe(404);
  });
});

describe('the schema says of itself', () => {
  test('what a kind is', async () => {
    const data = await world.data(
      '{ __type(name: "InfraDevice") { name kind interfaces { name } } __schema { queryType { name } } }',
    );
    expect(data).toEqual({
      __type: {
        name: 'InfraDevice',
        kind: 'OBJECT',
        interfaces: [{name: 'InfraEndpoint'}, {name: 'CoreNode'}],
      },
      __schema: {queryType: {name: 'Query'}},
    });
  });

  test('the same beside a query over kinds, in the order of the document', async () => {
    const data = await world.data(
      '{ a: BuiltinTag { count } b: __type(name: "BuiltinTag") { name } c: BuiltinTag { count } }',
    );
    expect(JSON.stringify(data)).toBe('{"a":{"count":0},"b":{"name":"BuiltinTag"},"c":{"count":0}}');
  });

  test('who and what the service is, under both names', async () => {
    const data = await world.data(
      '{ ServiceInfo { version deployment_id } InfrahubInfo { version } InfrahubStatus { summary { schema_hash_synced } } }',
    );
    expect(data).toMatchObject({
      ServiceInfo: {version: '0.0.0-test', deployment_id: world.store.deploymentId},
      InfrahubInfo: {version: '0.0.0-test'},
      InfrahubStatus: {summary: {schema_hash_synced: true}},
    });
  });
});

describe('what a caller may not read', () => {
  test('is null with a code, and the rest is answered', async () => {
    const before = world.caller;
    world.caller = {
      account: null,
      access: {allows: need => need.is !== 'object' || need.kind !== 'BuiltinTag'},
    };
    const {data, errors} = await world.run(
      '{ a: BuiltinTag { count } b: InfraDevice { count } c: InfraDevice { edges { node { tags { count } } } } }',
    );
    world.caller = before;
    expect(data).toEqual({a: null, b: {count: 0}, c: null});
    expect(errors?.map(error => [error.path, error.extensions.code])).toEqual([
      [['a'], 'PERMISSION_DENIED'],
      [['c'], 'PERMISSION_DENIED'],
    ]);
  });

  test('shows in the permissions of a list', async () => {
    const before = world.caller;
    world.caller = {
      account: null,
      access: {
        allows: need =>
          need.is === 'object' &&
          (need.action === 'view' || (need.action === 'create' && !need.onDefaultBranch)),
      },
    };
    const data = await world.data(
      '{ BuiltinTag { permissions { count edges { node { kind view create delete } } } } }',
    );
    world.caller = before;
    expect(data).toEqual({
      BuiltinTag: {
        permissions: {
          count: 1,
          edges: [{node: {kind: 'BuiltinTag', view: 'ALLOW', create: 'ALLOW_OTHER', delete: 'DENY'}}],
        },
      },
    });
  });
});

test('a plain client over a real connection reads and writes', async () => {
  const address = await world.server.listen({host: '127.0.0.1', port: 0});
  const ask = async (query: string) => {
    const response = await fetch(`${address}/graphql/work`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({query}),
    });
    return (await response.json()) as {data: unknown};
  };
  await ask('mutation { BuiltinTagCreate(data: {name: {value: "fetched"}}) { ok } }');
  expect(await ask('{ BuiltinTag(name__value: "fetched") { count } }')).toEqual({
    data: {BuiltinTag: {count: 1}},
  });
});

test('reads that may grow with the data are made by another thread and answer the same', async () => {
  const threaded = await openGraphql(undefined, {}, 1);
  await threaded.data(
    'mutation { LocationRegionCreate(data: {name: {value: "far"}}) { ok } LocationSiteCreate(data: {name: {value: "away"}, parent: {hfid: ["far"]}}) { ok } }',
  );
  const query =
    '{ LocationGeneric { count edges { node { name { value } ancestors { edges { node { display_label } } } } } } }';
  let onThisThread = 0;
  threaded.store.reader.onStatement = () => {
    onThisThread += 1;
  };
  const data = await threaded.data(query);
  expect(data).toEqual({
    LocationGeneric: {
      count: 2,
      edges: [
        {node: {name: {value: 'away'}, ancestors: {edges: [{node: {display_label: 'far'}}]}}},
        {node: {name: {value: 'far'}, ancestors: {edges: []}}},
      ],
    },
  });
  expect(onThisThread).toBe(0);
  await threaded.close();
});

test('a service that cannot tell who asks, since its database is away, says when to come back', async () => {
  const {caller} = world;
  Object.defineProperty(world, 'caller', {
    configurable: true,
    get() {
      throw unavailable('The database cannot be reached.');
    },
  });
  const response = await post('/graphql', {query: TAGS});
  Object.defineProperty(world, 'caller', {value: caller, writable: true});
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('1');
  expect(response.json().errors[0].extensions).toEqual({code: 'UNAVAILABLE', http_status: 503});
});
