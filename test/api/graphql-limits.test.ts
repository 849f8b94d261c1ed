import {afterAll, beforeAll, expect, test} from 'vitest';
import {type GraphqlWorld, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;

beforeAll(async () => {
  world = await openGraphql(undefined, {
    depthMax: 12,
    aliasesMax: 50,
    fieldsMax: 500,
    pageRowsMax: 10,
    rowsMax: 30,
    bulkRowsMax: 25,
  });
  const data = Array.from({length: 25}, (_, place) => ({name: {value: `tag-${place}`}}));
  await world.data(
    'mutation ($data: [BuiltinTagCreateInput!]!) { BuiltinTagCreateMany(data: $data) { ok } }',
    {variables: {data}},
  );
});

afterAll(() => world.close());

async function refused(query: string, variables: Record<string, unknown> = {}): Promise<string> {
  const {errors} = await world.run(query, {variables});
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
  return errors![0]!.message;
}

test('a query that is too deep is refused', async () => {
  const nested = (levels: number): string =>
    levels === 0 ? '{ count }' : `{ edges { node { member_of_groups ${nested(levels - 1)} } } }`;
  expect(await refused(`{ BuiltinTag ${nested(6)} }`)).toMatch(/levels deep; at most 12/);
});

test('ten thousand aliases are refused', async () => {
  const aliases = Array.from({length: 10_000}, (_, place) => `a${place}: __typename`).join(' ');
  expect(await refused(`{ ${aliases} }`)).toMatch(/10000 aliases; at most 50/);
});

test('fragments that multiply are refused by the size they come to', async () => {
  const bomb = Array.from(
    {length: 20},
    (_, place) => `fragment F${place} on Query { ...F${place + 1} ...F${place + 1} }`,
  );
  expect(await refused(`{ ...F0 } ${bomb.join(' ')} fragment F20 on Query { __typename }`)).toMatch(
    /more than 200 times/,
  );
});

test('one field asked for again and again is refused before its askings are compared', async () => {
  expect(await refused(`{ ${'__typename '.repeat(10_000)} }`)).toMatch(/__typename more than 200 times/);
  expect(await refused(`{ ${'... on Query { __typename } '.repeat(5_000)} }`)).toMatch(/more than 200 times/);
});

test('too many fields are refused', async () => {
  const root = (place: number) =>
    `a${place}: BuiltinTag { edges { node { id hfid display_label name { value is_default is_visible is_protected } description { value updated_at } } } }`;
  const roots = Array.from({length: 45}, (_, place) => root(place)).join(' ');
  expect(await refused(`{ ${roots} }`)).toMatch(/asks for 630 fields; at most 500/);
});

test('a query of two megabytes is refused without being read', async () => {
  expect(await refused(`{ __typename } ${'#'.repeat(2_000_000)}`)).toMatch(/characters; at most 1000000/);
});

test('too many tokens are refused', async () => {
  expect(await refused(`{ ${'a '.repeat(200_000)} }`)).toMatch(/60000 tokens/);
});

test('a list that is longer than a page must be asked for in pages', async () => {
  expect(await refused('{ BuiltinTag { edges { node { id } } } }')).toMatch(
    /more than 10 rows; ask for a page/,
  );
  expect(await world.data('{ BuiltinTag { count } }')).toEqual({BuiltinTag: {count: 25}});
});

test.each([
  ['(first: -1)', /first must not be negative/],
  ['(limit: -5)', /limit must not be negative/],
  ['(offset: -5)', /offset must not be negative/],
  ['(first: 11)', /first must be at most 10/],
  ['(limit: 2000000000)', /limit must be at most 10/],
  ['(first: 1, limit: 1)', /not both/],
  ['(after: "abc", offset: 1)', /not both/],
  ['(after: "abc")', /is not a cursor/],
  ['(after: "WyJhIl0")', /is not a cursor/],
  ['(name__between: ["a"])', /takes two values/],
  ['(order: {by: [{path: "nothing__value"}]})', /which BuiltinTag does not have/],
])('%s is refused with words', async (args, words) => {
  expect(await refused(`{ BuiltinTag${args} { edges { node { id } } } }`)).toMatch(words);
});

test('a cursor of another order is refused', async () => {
  const {tags} = (await world.data(
    '{ tags: BuiltinTag(first: 1, order: {disable: true}) { pageInfo { endCursor } } }',
  )) as unknown as {
    tags: {pageInfo: {endCursor: string}};
  };
  expect(await refused(`{ BuiltinTag(first: 1, after: "${tags.pageInfo.endCursor}") { count } }`)).toMatch(
    /another order/,
  );
});

test('a bulk of too many rows is refused', async () => {
  const data = Array.from({length: 26}, (_, place) => ({name: {value: `more-${place}`}}));
  const query = 'mutation ($data: [BuiltinTagCreateInput!]!) { BuiltinTagCreateMany(data: $data) { ok } }';
  expect(await refused(query, {data})).toMatch(/26 rows; at most 25/);
});

test('pages follow each other by cursor and by offset, and end', async () => {
  const page = async (args: string) => {
    const data = await world.data(
      `{ BuiltinTag${args} { count edges { cursor node { name { value } } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    );
    return (
      data as unknown as {
        BuiltinTag: {
          count: number;
          edges: {cursor: string; node: {name: {value: string}}}[];
          pageInfo: {hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null};
        };
      }
    ).BuiltinTag;
  };
  const byCursor: string[] = [];
  let after = '';
  for (;;) {
    const {count, edges, pageInfo} = await page(`(first: 7${after})`);
    expect(count).toBe(25);
    expect(pageInfo.hasPreviousPage).toBe(after !== '');
    expect(pageInfo.endCursor).toBe(edges.at(-1)?.cursor);
    byCursor.push(...edges.map(({node}) => node.name.value));
    if (!pageInfo.hasNextPage) break;
    after = `, after: "${pageInfo.endCursor}"`;
  }
  const byOffset: string[] = [];
  for (let offset = 0; offset < 30; offset += 10) {
    byOffset.push(...(await page(`(limit: 10, offset: ${offset})`)).edges.map(({node}) => node.name.value));
  }
  expect(byCursor).toEqual(byOffset);
  expect(new Set(byCursor).size).toBe(25);
  const beyond = await page('(limit: 10, offset: 1000)');
  expect([beyond.edges, beyond.pageInfo.hasNextPage, beyond.pageInfo.endCursor]).toEqual([[], false, null]);
});

test('a cursor stays right while rows before it come and go', async () => {
  const names = async (args: string) => {
    const data = (await world.data(
      `{ BuiltinTag(${args}) { edges { cursor node { name { value } } } } }`,
    )) as unknown as {
      BuiltinTag: {edges: {cursor: string; node: {name: {value: string}}}[]};
    };
    return data.BuiltinTag.edges;
  };
  const first = await names('first: 3');
  const {cursor} = first.at(-1)!;
  const before = await names(`first: 3, after: "${cursor}"`);
  await world.data(
    'mutation { BuiltinTagDelete(data: {hfid: ["tag-0"]}) { ok } BuiltinTagCreate(data: {name: {value: "a-first"}}) { ok } }',
  );
  expect(await names(`first: 3, after: "${cursor}"`)).toEqual(before);
});
