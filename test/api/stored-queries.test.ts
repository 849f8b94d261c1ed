import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Loose} from './branch-world.ts';
import {ADMIN_KEY, openService} from './open-service.ts';

const SCHEMA = {
  version: '1.0',
  generics: [{namespace: 'Net', name: 'Thing', attributes: [{name: 'name', kind: 'Text', unique: true}]}],
  nodes: [
    {
      namespace: 'Net',
      name: 'Device',
      inherit_from: ['NetThing'],
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      attributes: [
        {name: 'height', kind: 'Number', optional: true},
        {name: 'is_virtual', kind: 'Boolean', optional: true},
      ],
      relationships: [{name: 'tags', peer: 'BuiltinTag', optional: true, cardinality: 'many'}],
    },
  ],
};

const BY_HEIGHT = `query ($height: BigInt!, $names: [String], $virtual: Boolean = false) {
  NetDevice(height__value: $height, name__values: $names, is_virtual__value: $virtual) {
    count edges { node { id name { value } tags { edges { node { name { value } } } } } }
  }
}`;

let own: Awaited<ReturnType<typeof openService>>;
const ids: Record<string, string> = {};

async function graphql(query: string, branch = 'main'): Promise<Loose> {
  const response = await own.ask(`/graphql/${branch}`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({query}),
  });
  return response.json();
}

async function data(query: string, branch?: string): Promise<Loose> {
  const answer = await graphql(query, branch);
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

const quoted = (text: string) => JSON.stringify(text);

const store = (name: string, query: string, branch?: string) =>
  data(
    `mutation { CoreGraphQLQueryCreate(data: {name: {value: "${name}"} query: {value: ${quoted(query)}}}) { ok object {
      id operations { value } variables { value } models { value } depth { value } height { value } } } }`,
    branch,
  );

const run = (path: string, init: RequestInit = {}) => own.ask(`/api/query/${path}`, init);

const post = (path: string, body?: unknown) =>
  run(path, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });

const names = (answer: Loose) => answer.data.NetDevice.edges.map((edge: Loose) => edge.node.name.value);

beforeAll(async () => {
  own = await openService();
  const loaded = await own.ask('/api/schema/load', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({schemas: [SCHEMA]}),
  });
  expect(loaded.status).toBe(200);
  const tag = await data('mutation { BuiltinTagCreate(data: {name: {value: "red"}}) { object { id } } }');
  ids.red = tag.BuiltinTagCreate.object.id;
  for (const [name, height, virtual] of [
    ['a', 1, false],
    ['b', 1, false],
    ['c', 1, true],
    ['d', 2, false],
  ] as const) {
    const made =
      await data(`mutation { NetDeviceCreate(data: {name: {value: "${name}"} height: {value: ${height}}
      is_virtual: {value: ${virtual}} tags: [{id: "${ids.red}"}]}) { object { id } } }`);
    ids[name] = made.NetDeviceCreate.object.id;
  }
  ids.query = (await store('by-height', BY_HEIGHT)).CoreGraphQLQueryCreate.object.id;
});

afterAll(() => own.close());

describe('a query that is stored', () => {
  test('is read: operations, variables, models, depth and height are filled in', async () => {
    const {CoreGraphQLQuery} = await data(`{ CoreGraphQLQuery(name__value: "by-height") { edges { node {
      operations { value } variables { value } models { value } depth { value } height { value } } } } }`);
    expect(CoreGraphQLQuery.edges[0].node).toEqual({
      operations: {value: ['query']},
      variables: {
        value: [
          {name: 'height', type: 'BigInt', required: true, default_value: null},
          {name: 'names', type: 'String', required: false, default_value: null},
          {name: 'virtual', type: 'Boolean', required: false, default_value: false},
        ],
      },
      models: {value: ['BuiltinTag', 'NetDevice']},
      depth: {value: 8},
      height: {value: 12},
    });
  });

  test('over a generic is about all its kinds', async () => {
    const made = await store('things', '{ NetThing { edges { node { name { value } } } } }');
    expect(made.CoreGraphQLQueryCreate.object.models.value).toEqual(['NetDevice', 'NetThing']);
  });

  test('is read again when it changes, and only then', async () => {
    const {id} = (await store('changing', '{ NetDevice { count } }')).CoreGraphQLQueryCreate.object;
    const update = (rest: string) =>
      data(`mutation { CoreGraphQLQueryUpdate(data: {id: "${id}" ${rest}}) { object {
        models { value } height { value } depth { value } } } }`);
    const other = await update(`query: {value: "{ BuiltinTag { edges { node { id } } } }"}`);
    expect(other.CoreGraphQLQueryUpdate.object).toEqual({
      models: {value: ['BuiltinTag']},
      height: {value: 4},
      depth: {value: 4},
    });
    const same = await update('description: {value: "words"}');
    expect(same.CoreGraphQLQueryUpdate.object.height.value).toBe(4);
  });

  test.each([
    ['{ NetDevice { count }', 'Syntax Error: Expected Name, found <EOF>. (line 1, column 22) at query'],
    ['{ Zzzzzz { count } }', 'Cannot query field "Zzzzzz" on type "Query". (line 1, column 3) at query'],
    ['query ($a: Int) { NetDevice { count } }', 'Variable "$a" is never used. (line 1, column 8) at query'],
    ['fragment f on NetDevice { id }', 'at query'],
    ['', 'at query'],
  ])('and is no valid one is refused: %s', async (query, message) => {
    const {errors} = await graphql(
      `mutation { CoreGraphQLQueryCreate(data: {name: {value: "bad"} query: {value: ${quoted(query)}}}) { ok } }`,
    );
    expect(errors[0].message).toContain(message);
    expect(errors[0].extensions.code).toBe('VALIDATION_ERROR');
  });

  test('is checked on every way in: upsert, many at once, and beside others', async () => {
    const bad = quoted('{ Nope }');
    for (const mutation of [
      `CoreGraphQLQueryUpsert(data: {name: {value: "up"} query: {value: ${bad}}}) { ok }`,
      `CoreGraphQLQueryCreateMany(data: [{name: {value: "many"} query: {value: ${bad}}}]) { ok }`,
      `CoreGraphQLQueryUpdate(data: {id: "${ids.query}" query: {value: ${bad}}}) { ok }`,
    ]) {
      const {errors} = await graphql(`mutation { ${mutation} }`);
      expect(errors[0].message).toContain('Cannot query field "Nope"');
    }
    const up = await data(`mutation { CoreGraphQLQueryUpsert(data: {name: {value: "up"}
      query: {value: "{ NetDevice { count } }"}}) { object { height { value } } } }`);
    expect(up.CoreGraphQLQueryUpsert.object.height.value).toBe(2);
  });

  test('has facts that nobody else may set', async () => {
    const {errors} = await graphql(
      'mutation { CoreGraphQLQueryCreate(data: {name: {value: "x"} query: {value: "{ NetDevice { count } }"} depth: {value: 7}}) { ok } }',
    );
    expect(errors).toHaveLength(1);
  });

  test('keeps its facts true through a merge that decides between two texts', async () => {
    const {id} = (await store('merged', '{ NetDevice { count } }')).CoreGraphQLQueryCreate.object;
    await data('mutation { BranchCreate(data: {name: "texts"}) { ok } }');
    const set = (query: string, branch: string) =>
      data(
        `mutation { CoreGraphQLQueryUpdate(data: {id: "${id}" query: {value: ${quoted(query)}}}) { ok } }`,
        branch,
      );
    await set('{ BuiltinTag { count } }', 'texts');
    await set('{ NetDevice { edges { node { id } } } }', 'main');
    const refused = await graphql('mutation { BranchMerge(data: {name: "texts"}) { ok } }');
    const {conflicts} = refused.errors[0].extensions.data;
    expect(conflicts.map((conflict: Loose) => conflict.path)).toEqual([`data/${id}/query/value`]);
    await data(
      `mutation { ResolveDiffConflict(data: {conflict_id: "${conflicts[0].id}" selected_branch: DIFF_BRANCH}) { ok } }`,
    );
    await data('mutation { BranchMerge(data: {name: "texts"}) { ok } }');
    const {CoreGraphQLQuery} = await data(
      '{ CoreGraphQLQuery(name__value: "merged") { edges { node { query { value } models { value } height { value } } } } }',
    );
    expect(CoreGraphQLQuery.edges[0].node).toEqual({
      query: {value: '{ BuiltinTag { count } }'},
      models: {value: ['BuiltinTag']},
      height: {value: 2},
    });
  });
});

describe('/api/query', () => {
  test('runs by id and by name, with variables of any type', async () => {
    for (const path of [ids.query!, 'by-height']) {
      const response = await post(path, {variables: {height: 1, names: ['a', 'b'], virtual: false}});
      expect(response.status).toBe(200);
      const answer: Loose = await response.json();
      expect(Object.keys(answer)).toEqual(['data']);
      expect(names(answer)).toEqual(['a', 'b']);
    }
  });

  test('reads variables of a URL in the types that the query declares', async () => {
    const ask = async (parameters: string) => names(await (await run(`by-height?${parameters}`)).json());
    expect(await ask('height=1')).toEqual(['a', 'b']);
    expect(await ask('height=1&virtual=true')).toEqual(['c']);
    expect(await ask('height=1&names=b&names=c')).toEqual(['b']);
    expect(await ask('height=1&names=["a"]&')).toEqual(['a']);
    expect(await ask('height=2&names=d&unheard=of')).toEqual(['d']);
  });

  test('takes no body where there are no variables, whatever its type promises', async () => {
    await store('all', '{ NetDevice { count } }');
    for (const body of [undefined, {}, {variables: null}, {variables: {}}]) {
      expect(await (await post('all', body)).json()).toEqual({data: {NetDevice: {count: 4}}});
    }
    expect((await run('all', {method: 'POST'})).status).toBe(200);
    expect((await post('all', {variables: 7})).status).toBe(422);
    expect((await post('all?branhc=main')).status).toBe(422);
  });

  test('answers 404 for a query that is not there, and 400 for a branch or a time that is none', async () => {
    const missing = await run('nothing');
    expect([missing.status, await missing.json()]).toEqual([
      404,
      {
        data: null,
        errors: [
          {
            message: 'Unable to find the node nothing / CoreGraphQLQuery in the database.',
            extensions: {code: 404},
          },
        ],
      },
    ]);
    expect((await run('by-height?branch=nowhere')).status).toBe(400);
    expect((await run('by-height?at=yesterday')).status).toBe(400);
  });

  test('answers 502 with what the query says is wrong', async () => {
    const response = await run('by-height?height=tall');
    expect(response.status).toBe(502);
    const {errors} = (await response.json()) as Loose;
    expect(errors[0].message).toBe(
      'GraphQLQuery by-height: Variable "$height" got invalid value "tall"; BigInt cannot represent "tall": it takes integers up to 2^53',
    );
    expect(errors[0].extensions).toEqual({code: 502});
    expect((await post('by-height')).status).toBe(502);
  });

  test('runs on a branch, and at an instant', async () => {
    const before = new Date().toISOString();
    await data('mutation { BranchCreate(data: {name: "reading"}) { ok } }');
    await data(
      'mutation { NetDeviceCreate(data: {name: {value: "e"} height: {value: 9}}) { ok } }',
      'reading',
    );
    const ask = async (more: string) =>
      names(await (await run(`by-height?height=9&virtual=false${more}`)).json());
    await data(`mutation { NetDeviceUpdate(data: {id: "${ids.d}" is_virtual: {value: false}}) { ok } }`);
    expect(await ask('&branch=reading')).toEqual([]);
    const count = async (more: string) =>
      ((await (await run(`all?${more}`)).json()) as Loose).data.NetDevice.count;
    expect([await count(''), await count('branch=reading')]).toEqual([4, 5]);
    expect(await count(`branch=reading&at=${encodeURIComponent(before)}`)).toBe(4);
  });

  test('runs a stored mutation only when it is posted', async () => {
    await store(
      'make',
      'mutation ($name: String!) { NetDeviceCreate(data: {name: {value: $name} height: {value: 77}}) { ok } }',
    );
    const got = await run('make?name=f');
    expect(got.status).toBe(405);
    expect(await (await post('make', {variables: {name: 'f'}})).json()).toEqual({
      data: {NetDeviceCreate: {ok: true}},
    });
    const again = await post('make', {variables: {name: 'f'}});
    expect(again.status).toBe(502);
    await data('mutation { NetDeviceDelete(data: {hfid: ["f"], id: "f"}) { ok } }');
  });

  test('is open to those who are not known by GET alone', async () => {
    expect((await fetch(`${own.address}/api/query/all`)).status).toBe(200);
    expect((await fetch(`${own.address}/api/query/all`, {method: 'POST'})).status).toBe(401);
    expect((await fetch(`${own.address}/api/query/all?update_group=true`)).status).toBe(401);
  });

  test('refuses what the caller may not see', async () => {
    const made = await data(
      'mutation { CoreAccountCreate(data: {name: {value: "guest"} password: {value: "guest-password"}}) { object { id } } }',
    );
    expect(made.CoreAccountCreate.object.id).toBeDefined();
    const login = await fetch(`${own.address}/api/auth/login`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({username: 'guest', password: 'guest-password'}),
    });
    const {access_token: token} = (await login.json()) as Loose;
    const response = await fetch(`${own.address}/api/query/all`, {
      headers: {authorization: `Bearer ${token}`},
    });
    expect(response.status).toBe(403);
  });
});

describe('update_group', () => {
  const group = async (): Promise<Loose> => {
    const found =
      await data(`{ CoreGraphQLQueryGroup(query__ids: ["${ids.query}"]) { edges { node { name { value } label { value }
      group_type { value } parameters { value } query { node { id } } members { edges { node { id } } }
      subscribers { edges { node { id } } } } } } }`);
    return found.CoreGraphQLQueryGroup.edges.map((edge: Loose) => edge.node);
  };
  const idsOf = (peers: Loose) => peers.edges.map((edge: Loose) => edge.node.id).sort();

  test('keeps what was read, by query and variables, and adds subscribers', async () => {
    const sub = (list: string[]) => list.map(id => `subscribers=${id}`).join('&');
    const variables = {height: 1, names: ['a', 'b']};
    expect((await post(`by-height?update_group=true&${sub([ids.c!])}`, {variables})).status).toBe(200);
    const [first, ...more] = await group();
    expect(more).toEqual([]);
    expect(first.name.value).toMatch(/^by-height__[0-9a-f]{32}$/);
    expect(first).toMatchObject({
      label: {value: `Query by-height Hash(${first.name.value.slice(11, 19)})`},
      group_type: {value: 'internal'},
      parameters: {value: variables},
      query: {node: {id: ids.query}},
    });
    expect(idsOf(first.members)).toEqual([ids.a, ids.b, ids.red].sort());
    expect(idsOf(first.subscribers)).toEqual([ids.c]);

    await data(`mutation { NetDeviceUpdate(data: {id: "${ids.b}" height: {value: 5}}) { ok } }`);
    await post(`by-height?update_group=true&${sub([ids.d!, 'nobody'])}`, {variables});
    const [second, ...others] = await group();
    expect(others).toEqual([]);
    expect(idsOf(second.members)).toEqual([ids.a, ids.red].sort());
    expect(idsOf(second.subscribers)).toEqual([ids.c, ids.d].sort());
  });

  test('has a group for other variables, and none without being asked', async () => {
    await post('by-height', {variables: {height: 2}});
    await run(`by-height?height=2&subscribers=${ids.a}`);
    expect(await group()).toHaveLength(1);
    await run('by-height?height=2&update_group=true');
    expect(await group()).toHaveLength(2);
  });

  test('names the group of a query without variables by what nothing hashes to', async () => {
    await run('all?update_group=yes');
    const found = await data(
      '{ CoreGraphQLQueryGroup(name__value: "all__99914b932bd37a50b983c5e7c90ae93b") { count } }',
    );
    expect(found.CoreGraphQLQueryGroup.count).toBe(1);
  });

  test('stays on the branch of the query', async () => {
    await run('by-height?height=2&update_group=true&branch=reading');
    expect(await group()).toHaveLength(2);
  });

  test('goes with its query', async () => {
    await data(`mutation { CoreGraphQLQueryDelete(data: {id: "${ids.query}"}) { ok } }`);
    expect(await group()).toEqual([]);
  });
});

test('a key of the service is enough', async () => {
  const response = await fetch(`${own.address}/api/query/all`, {
    method: 'POST',
    headers: {'X-API-KEY': ADMIN_KEY},
  });
  expect(response.status).toBe(200);
});
