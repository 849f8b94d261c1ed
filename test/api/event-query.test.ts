import {describe, expect, test} from 'vitest';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {ADMIN_KEY, MAIN, openAccessWorld} from './access-world.ts';
import {SocketClient} from './socket-client.ts';

const world = await openAccessWorld();
const admin = await world.idOf('CoreAccount', 'admin');
const FIELDS =
  'edges { cursor node { id event_type node_id kind account_id is_system changes } } pageInfo { hasNextPage endCursor }';

const ask = async (args: string, key: Record<string, string> = ADMIN_KEY, branch = 'main') => {
  const {body} = await world.graphql(`{ ServiceEvent(${args}) { ${FIELDS} } }`, key, branch);
  return body;
};
const found = async (args: string, key?: Record<string, string>, branch?: string) =>
  (await ask(args, key, branch)).data.ServiceEvent;
const nodes = async (args: string, key?: Record<string, string>) =>
  (await found(args, key)).edges.map((edge: {node: {node_id: string}}) => edge.node.node_id);

const tag = async (name: string) => {
  const {body} = await world.graphql(
    `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}, description: {value: "d"}}) { object { id } } }`,
    ADMIN_KEY,
  );
  return body.data.BuiltinTagCreate.object.id as NodeId;
};

const made: NodeId[] = [];
for (const name of ['one', 'two', 'three', 'four', 'five']) made.push(await tag(name));
const newest = made.toReversed();

describe('the log as a query', () => {
  test('tells the newest first, in pages', async () => {
    const first = await found('first: 2, kinds: ["BuiltinTag"]');
    expect(first.edges.map((edge: {node: {node_id: string}}) => edge.node.node_id)).toEqual(
      newest.slice(0, 2),
    );
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect(first.pageInfo.endCursor).toBe(first.edges[1].node.id);
    const rest = await found(`first: 10, after: "${first.pageInfo.endCursor}", kinds: ["BuiltinTag"]`);
    expect(rest.edges.map((edge: {node: {node_id: string}}) => edge.node.node_id)).toEqual(newest.slice(2));
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  test('may be told the oldest first, from an event or a time on and up to one', async () => {
    const {edges} = await found('kinds: ["BuiltinTag"], oldest_first: true');
    const ids = edges.map((edge: {cursor: string}) => edge.cursor);
    expect(await nodes(`kinds: ["BuiltinTag"], oldest_first: true, since: "${ids[1]}"`)).toEqual(
      made.slice(2),
    );
    expect(await nodes(`kinds: ["BuiltinTag"], since: "${ids[0]}", until: "${ids[2]}"`)).toEqual([
      made[2],
      made[1],
    ]);
    expect(await nodes('kinds: ["BuiltinTag"], since: "-1h"')).toEqual(newest);
    expect(await nodes('kinds: ["BuiltinTag"], until: "2030-06-01T12:00:00Z"')).toEqual([]);
  });

  test('leaves what is asked for: types, generics, objects, and who did it', async () => {
    expect(await nodes(`ids: ["${made[3]}"]`)).toEqual([made[3]]);
    expect(await nodes('event_types: ["node.deleted"]')).toEqual([]);
    expect(new Set(await nodes(`account: "${admin}", kinds: ["CoreNode"]`))).toEqual(new Set(made));
    const {edges} = await found('first: 500, kinds: ["CoreGenericAccount"]');
    expect(edges.every((edge: {node: {is_system: boolean}}) => edge.node.is_system)).toBe(true);
  });

  test('refuses what makes no sense', async () => {
    for (const [args, why] of [
      ['first: -1', 'first must be from 0'],
      ['first: 1000000', 'first must be from 0'],
      ['after: "x"', 'is not the id of an event'],
      ['since: "1fffffffffffff0000000000"', 'is not the id of an event'],
      ['event_types: ["node.made"]', 'is not a type of event'],
    ] as const) {
      const {errors} = await ask(args);
      expect(errors[0]).toMatchObject({
        message: expect.stringContaining(why),
        extensions: {code: 'VALIDATION_ERROR'},
      });
    }
  });

  test('never tells a password, nor of what is internal', async () => {
    await world.graphql(
      'mutation { ServiceAccountSelfUpdate(data: {password: "another-password"}) { ok } }',
      ADMIN_KEY,
    );
    await world.logIn('admin', 'another-password');
    const text = JSON.stringify(await found('first: 500'));
    expect(text).toContain('"new_value":"***"');
    expect(text).not.toContain('argon2');
    expect(text).not.toContain('Internal');
  });

  test('tells nobody of what they may not view, nor counts it', async () => {
    const role = await world.make('CoreAccountRole', {name: 'blind'});
    const {key} = await world.account('blind', [role]);
    expect(await nodes('first: 500, kinds: ["BuiltinTag"]', key)).toEqual([]);
    const {edges, pageInfo} = await found('first: 500', key);
    expect(edges.every((edge: {node: {kind: string | null}}) => edge.node.kind === null)).toBe(true);
    expect(pageInfo.hasNextPage).toBe(false);
    expect(await nodes(`first: 500, account: "${admin}"`, key)).toEqual([]);
  });
});

test('a stored query is run at once, and ends with the first failure', async () => {
  const query = 'query Tags($name: String) { BuiltinTag(name__value: $name) { count } }';
  const id = await world.make('CoreGraphQLQuery', {name: 'tags', query});
  const url = await world.socketUrl();
  const start = async (args: string) => {
    const client = await new SocketClient(url, 'graphql-ws', ADMIN_KEY).opened();
    client.send({type: 'start', id: '1', payload: {query: `subscription { query(${args}) }`}});
    return client;
  };
  const named = await start('name: "tags", params: {name: "one"}');
  expect(await named.next()).toEqual({
    type: 'data',
    id: '1',
    payload: {data: {query: {BuiltinTag: {count: 1}}}},
  });
  const byId = await start(`name: "${id}", interval: 1`);
  expect((await byId.take(2)).map(message => message.payload.data.query.BuiltinTag.count)).toEqual([5, 5]);
  const wrong = await world.make('CoreGraphQLQuery', {name: 'wrong', query: '{ Nothing { count } }'});
  const failing = await start(`name: "${wrong}"`);
  expect(await failing.take(2)).toMatchObject([
    {type: 'data', payload: {data: {query: null}, errors: [{extensions: {code: 'VALIDATION_ERROR'}}]}},
    {type: 'complete', id: '1'},
  ]);
  await world.make('CoreGraphQLQuery', {
    name: 'writes',
    query: 'mutation { BranchCreate(data: {name: "x"}) { ok } }',
  });
  expect(await (await start('name: "writes"')).next()).toMatchObject({type: 'error'});
  expect(await (await start('name: "tags", interval: 0')).next()).toMatchObject({type: 'error'});
  await world.store.write(MAIN, {account: null}, draft => draft.delete(id));
});
