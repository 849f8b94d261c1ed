import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type GraphqlWorld, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let made = 0;
let owner = '';

async function add(devices: number): Promise<void> {
  await world.data(
    `mutation { LocationRegionUpsert(data: {name: {value: "region"}}) { object { id } } LocationSiteUpsert(data: {name: {value: "site"}, parent: {hfid: ["region"]}}) { object { id } } }`,
  );
  const data = Array.from({length: devices}, () => {
    made += 1;
    return {
      name: {value: `device-${String(made).padStart(5, '0')}`},
      description: {value: `number ${made}`, owner},
      height: {value: made},
      site: {hfid: ['site']},
      tags: [{hfid: ['one']}, {hfid: ['two']}],
    };
  });
  await world.data(
    'mutation ($data: [InfraDeviceCreateInput!]!) { InfraDeviceCreateMany(data: $data) { ok } }',
    {variables: {data}},
  );
}

beforeAll(async () => {
  world = await openGraphql();
  const data = (await world.data(
    `mutation { a: CoreAccountCreate(data: {name: {value: "owner"}, password: {value: "long-enough"}}) { object { id } }
      b: BuiltinTagCreate(data: {name: {value: "one"}}) { ok } c: BuiltinTagCreate(data: {name: {value: "two"}}) { ok } }`,
  )) as unknown as {a: {object: {id: string}}};
  owner = data.a.object.id;
  world.caller = {...world.caller, account: owner as never};
});

afterAll(() => world.close());

async function statementsOf(query: string): Promise<number> {
  let count = 0;
  world.store.reader.onStatement = () => {
    count += 1;
  };
  await world.data(query);
  world.store.reader.onStatement = undefined;
  return count;
}

const SHAPES: readonly (readonly [shape: string, query: string])[] = [
  ['a list', '{ InfraDevice { edges { node { id name { value } } } } }'],
  ['a count', '{ InfraDevice { count } }'],
  [
    'a page with a count',
    '{ InfraDevice(first: 3) { count edges { node { id } } pageInfo { hasNextPage } } }',
  ],
  [
    'a filter and an order',
    '{ InfraDevice(height__gt: 0, order: {by: [{path: "height__value"}]}) { edges { node { id } } } }',
  ],
  [
    'to-one and to-many',
    '{ InfraDevice { edges { node { site { node { name { value } parent { node { id } } } } tags { count edges { node { name { value } } } } } } } }',
  ],
  [
    'labels through peers',
    '{ InfraDevice { edges { node { display_label hfid site { node { display_label } } } } } }',
  ],
  [
    'owners and authors',
    '{ InfraDevice { edges { node_metadata { created_by { display_label } } node { description { owner { display_label } updated_by { id } } } } } }',
  ],
  [
    'a generic',
    '{ InfraEndpoint { edges { node { id ... on InfraDevice { tags { edges { node { id } } } } } } } }',
  ],
];

describe('the number of statements depends on the shape of a query, not on the rows', () => {
  const few = new Map<string, number>();

  test('with few rows', async () => {
    await add(3);
    for (const [shape, query] of SHAPES) {
      await statementsOf(query);
      few.set(shape, await statementsOf(query));
    }
    expect(Math.max(...few.values())).toBeLessThan(40);
  });

  test('with many rows', async () => {
    await add(60);
    for (const [shape, query] of SHAPES) {
      await statementsOf(query);
      expect([shape, await statementsOf(query)]).toEqual([shape, few.get(shape)]);
    }
  });
});

describe('rows that name objects by their ids', () => {
  async function lookUpsOf(devices: number): Promise<number> {
    const tags = Array.from({length: devices}, (_, place) => ({name: {value: `tag ${devices} ${place}`}}));
    const {BuiltinTagCreateMany: many} = (await world.data(
      'mutation ($data: [BuiltinTagCreateInput!]!) { BuiltinTagCreateMany(data: $data) { objects { id } } }',
      {variables: {data: tags}},
    )) as unknown as {BuiltinTagCreateMany: {objects: {id: string}[]}};
    const data = many.objects.map(({id}, place) => ({
      name: {value: `named ${devices} ${place}`},
      site: {hfid: ['site']},
      tags: [{id}],
    }));
    let count = 0;
    world.store.writer.onStatement = sql => {
      if (sql.startsWith('SELECT') && sql.includes('uuid')) count += 1;
    };
    await world.data(
      'mutation ($data: [InfraDeviceCreateInput!]!) { InfraDeviceCreateMany(data: $data) { ok } }',
      {variables: {data}},
    );
    world.store.writer.onStatement = undefined;
    return count;
  }

  test('are written with as few questions, however many they are', async () => {
    const few = await lookUpsOf(3);
    expect(await lookUpsOf(40)).toBe(few);
  });
});
