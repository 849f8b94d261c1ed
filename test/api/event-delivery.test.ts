import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {chosen} from '../../src/ports/graph-store-fixtures.ts';
import {ADMIN_KEY, MAIN, openAccessWorld} from './access-world.ts';
import {SocketClient} from './socket-client.ts';

const world = await openAccessWorld({
  sockets: {socketsPerAccountMax: 3, operationsPerSocketMax: 2, unsentBytesMax: 65_536, slowSeconds: 1},
});
const url = await world.socketUrl();

async function open(headers: Readonly<Record<string, string>>): Promise<SocketClient> {
  const client = await new SocketClient(url, 'graphql-ws', headers).opened();
  client.send({type: 'connection_init'});
  return client;
}

async function subscribed(
  headers: Readonly<Record<string, string>>,
  args: string,
  fields = 'id event_type node_id',
): Promise<SocketClient> {
  const client = await open(headers);
  expect(await client.next()).toEqual({type: 'connection_ack'});
  client.send({type: 'start', id: 's', payload: {query: `subscription { event(${args}) { ${fields} } }`}});
  client.send({type: 'start', id: 'q', payload: {query: '{ ServiceInfo { version } }'}});
  for (;;) if ((await client.next()).type === 'complete') return client;
}

const eventOf = async (client: SocketClient) => (await client.next()).payload.data.event;

async function role(name: string, permissions: readonly NodeId[]): Promise<NodeId> {
  return world.make('CoreAccountRole', {name}, {permissions});
}

const permission = (name: string, decision: number, attribute?: string) =>
  world.make('CoreObjectPermission', {
    namespace: name === '*' ? '*' : 'Builtin',
    name,
    action: 'view',
    decision,
    ...(attribute === undefined ? {} : {attribute}),
  });

const make = (name: string, more: Readonly<Record<string, string>> = {}) =>
  world.make('BuiltinTag', {name, ...more});

describe('limits', () => {
  test('an account has so many sockets and no more', async () => {
    const {key} = await world.account('busy', []);
    const [one, two, three] = [await open(key), await open(key), await open(key)];
    for (const client of [one, two, three]) await client.next();
    const four = await open(key);
    expect(await four.ended()).toEqual({code: 1013, reason: 'This account has too many sockets open'});
    two.ws.close();
    await two.ended();
    await vi.waitFor(async () => {
      const again = await open(key);
      expect(await again.next()).toEqual({type: 'connection_ack'});
    });
  });

  test('a socket runs so many operations and no more', async () => {
    const {key} = await world.account('greedy', []);
    const client = await open(key);
    await client.next();
    for (const id of ['1', '2', '3']) {
      client.send({type: 'start', id, payload: {query: 'subscription { event { id } }'}});
    }
    expect(await client.next()).toMatchObject({
      type: 'error',
      id: '3',
      payload: {message: expect.stringContaining('At most 2')},
    });
    client.send({type: 'stop', id: '1'});
    expect(await client.next()).toEqual({type: 'complete', id: '1'});
    client.send({type: 'start', id: '3', payload: {query: '{ ServiceInfo { version } }'}});
    expect(await client.next()).toMatchObject({type: 'data', id: '3'});
  });

  test('a reader that takes nothing is closed with a code that says so, and goes on where it was', async () => {
    const client = await subscribed(ADMIN_KEY, 'kinds: ["BuiltinTag"]', 'id node_id changes');
    client.ws.pause();
    const count = 160;
    const made: NodeId[] = [];
    for (let index = 0; index < count; index += 1) {
      made.push(await make(`slow-${index}`, {description: 'x'.repeat(100_000)}));
    }
    const isCut = () => world.lines.some(line => String(line.message).includes('too slow'));
    await vi.waitUntil(isCut, {timeout: 200_000});
    client.ws.resume();
    expect(await client.ended()).toMatchObject({code: 4410});
    const seen = client.left.map(message => message.payload.data.event);
    expect(seen.length).toBeLessThan(count);
    const again = await subscribed(ADMIN_KEY, `kinds: ["BuiltinTag"], since: "${seen.at(-1).id}"`);
    const rest = () => again.messages.filter(message => message.id === 's' && message.type === 'data');
    while (seen.length + rest().length < count) await again.next();
    const all = [...seen, ...rest().map(message => message.payload.data.event)].map(event => event.node_id);
    expect(all).toEqual(made);
  }, 300_000);
});

describe('what a subscriber may not view', () => {
  test('is not sent: kinds, attributes, and what only they changed', async () => {
    const allowed = await permission('*', 6);
    const denied = await permission('Tag', 1, 'description');
    const viewer = await world.account('viewer', [await role('viewer', [allowed, denied])]);
    const nobody = await world.account('nobody', [await role('nobody', [])]);
    const fields = 'event_type node_id changes account_id';
    const [whole, part, nothing] = [
      await subscribed(ADMIN_KEY, 'kinds: ["BuiltinTag"]', fields),
      await subscribed(viewer.key, 'kinds: ["BuiltinTag"]', fields),
      await subscribed(nobody.key, 'branch_only: true', fields),
    ];
    const tag = await make('shown', {description: 'hidden'});
    await world.update(tag, {description: 'also hidden'});
    await world.update(tag, {name: 'shown again', description: 'still hidden'});
    expect((await eventOf(whole)).changes).toHaveLength(2);
    expect((await eventOf(whole)).event_type).toBe('service.node.updated');
    expect(await eventOf(part)).toEqual({
      event_type: 'service.node.created',
      node_id: tag,
      changes: [{field: 'name', is: 'attribute', previous_value: null, new_value: 'shown'}],
      account_id: null,
    });
    expect((await eventOf(part)).changes).toEqual([
      {field: 'name', is: 'attribute', previous_value: 'shown', new_value: 'shown again'},
    ]);
    await world.graphql('mutation { BranchCreate(data: {name: "told-to-all"}) { ok } }', ADMIN_KEY);
    expect((await eventOf(nothing)).event_type).toBe('service.branch.created');
  });

  test('is no longer sent from the moment that it is denied', async () => {
    const allowed = await permission('*', 6);
    const reader = await world.account('reader', [await role('reader', [allowed])]);
    const client = await subscribed(reader.key, 'kinds: ["BuiltinTag", "CoreStandardGroup"]');
    const before = await make('before');
    expect((await eventOf(client)).node_id).toBe(before);
    const denied = await permission('Tag', 1);
    const own = await world.idOf('CoreAccountRole', 'reader');
    await world.store.write(MAIN, {account: null}, draft =>
      draft.link({node: own, relationship: 'permissions', peer: denied}),
    );
    await make('after');
    const group = await world.make('CoreStandardGroup', {name: 'group'});
    expect((await eventOf(client)).node_id).toBe(group);
  });
});

test('under many writers, readers that break off at random see every event once, in order', async () => {
  const [writers, writes, readers] = [200, 2, 6];
  const start = (await world.graphql('{ ServiceEvent(first: 1) { edges { cursor } } }', ADMIN_KEY)).body.data
    .ServiceEvent.edges[0].cursor as string;
  const {key} = await world.account('follower', [await role('follower', [await permission('*', 6)])]);
  const random = fc.sample(fc.infiniteStream(fc.integer({min: 1, max: 40})), {numRuns: 1})[0]!;
  const patience = (): number => random.next().value as number;
  const total = writers * writes;

  async function read(): Promise<readonly string[]> {
    const seen: string[] = [];
    let since = start;
    while (seen.length < total) {
      const client = await new SocketClient(
        url,
        'graphql-transport-ws',
        seen.length % 2 === 0 ? ADMIN_KEY : key,
      ).opened();
      client.send({type: 'connection_init'});
      const isIn = await client.next().catch(() => undefined);
      if (isIn === undefined) continue;
      const query = `subscription { event(since: "${since}", event_types: ["node.created"], kinds: ["BuiltinTag"]) { id node_id } }`;
      client.send({type: 'subscribe', id: 's', payload: {query}});
      for (let left = patience(); left > 0 && seen.length < total; left -= 1) {
        const event = await eventOf(client);
        seen.push(event.node_id);
        since = event.id;
      }
      client.ws.terminate();
      await client.ended();
    }
    return seen;
  }

  const made: {readonly id: NodeId; readonly at: number}[] = [];
  const write = async (writer: number) => {
    for (let index = 0; index < writes; index += 1) {
      const id = world.access.ids.nodeId();
      const {commit} = await world.store.write(MAIN, {account: null}, draft =>
        draft.create({id, kind: 'BuiltinTag', attributes: chosen({name: `storm-${writer}-${index}`})}),
      );
      made.push({id, at: commit!});
    }
  };
  const [, ...all] = await Promise.all([
    Promise.all(Array.from({length: writers}, (_, writer) => write(writer))),
    ...Array.from({length: readers}, read),
  ]);
  const inOrder = made.toSorted((a, b) => a.at - b.at).map(({id}) => id);
  for (const seen of all) expect(seen).toEqual(inOrder);
}, 300_000);
