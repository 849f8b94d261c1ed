import {createClient} from 'graphql-ws';
import {SubscriptionClient} from 'subscriptions-transport-ws';
import {describe, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {ADMIN_KEY, ADMIN_TOKEN, bearer, MAIN, openAccessWorld} from './access-world.ts';
import {type Message, refusedHandshake, SocketClient} from './socket-client.ts';

const world = await openAccessWorld();
const url = await world.socketUrl('main');
const admin = await world.idOf('CoreAccount', 'admin');
const EVENT = 'subscription { event { event_type node_id } }';

const tag = (name: string, branch = 'main') =>
  world.graphql(
    `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { object { id } } }`,
    ADMIN_KEY,
    branch,
  );

async function makeTag(name: string, branch = 'main'): Promise<string> {
  const {body} = await tag(name, branch);
  return body.data.BuiltinTagCreate.object.id;
}

async function legacy(query = EVENT, id = '1', at = url): Promise<SocketClient> {
  const client = await new SocketClient(at, 'graphql-ws', ADMIN_KEY).opened();
  client.send({type: 'connection_init', payload: {}});
  expect(await client.next()).toEqual({type: 'connection_ack'});
  client.send({type: 'start', id, payload: {query}});
  return client;
}

/** A subscription is there once a question that was asked after it is answered. */
async function settled(client: SocketClient): Promise<void> {
  client.send({type: 'start', id: 'settled', payload: {query: '{ ServiceInfo { version } }'}});
  for (;;) if ((await client.next()).id === 'settled') break;
  await client.next();
}

describe('the public clients', () => {
  test('subscriptions-transport-ws sees what happens after it has subscribed', async () => {
    const client = new SubscriptionClient(
      url,
      {connectionParams: {'X-SERVICE-KEY': ADMIN_TOKEN}, reconnect: false},
      WebSocket,
    );
    const {promise, resolve, reject} = Promise.withResolvers<unknown>();
    const observed = client.request({
      query: 'subscription { event(kinds: ["BuiltinTag"]) { event_type node_id } }',
    });
    const {unsubscribe} = observed.subscribe({next: resolve, error: reject});
    await new Promise<void>((done, failed) => {
      client.request({query: '{ ServiceInfo { version } }'}).subscribe({complete: done, error: failed});
    });
    const id = await makeTag('from-legacy');
    expect(await promise).toEqual({data: {event: {event_type: 'service.node.created', node_id: id}}});
    unsubscribe();
    client.close();
  });

  test('graphql-ws sees what happens after it has subscribed', async () => {
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: {Authorization: `Bearer ${(await world.logIn()).body.access_token}`},
      lazy: false,
    });
    const events = client.iterate({
      query: 'subscription { event(kinds: ["BuiltinTag"]) { event_type node_id } }',
    });
    const asked = client.iterate({query: '{ ServiceInfo { version } }'});
    const first = events.next();
    expect((await asked.next()).value).toMatchObject({data: {ServiceInfo: {version: '0.0.0-test'}}});
    expect((await asked.next()).done).toBe(true);
    const id = await makeTag('from-modern');
    expect((await first).value).toEqual({data: {event: {event_type: 'service.node.created', node_id: id}}});
    await events.return?.(undefined);
    await client.dispose();
  });
});

describe('the messages of graphql-ws', () => {
  test('are an ack, data for each event, and complete after a stop', async () => {
    const client = await legacy();
    await settled(client);
    const id = await makeTag('plain');
    expect(await client.next()).toEqual({
      type: 'data',
      id: '1',
      payload: {data: {event: {event_type: 'service.node.created', node_id: id}}},
    });
    client.send({type: 'stop', id: '1'});
    expect(await client.next()).toEqual({type: 'complete', id: '1'});
    await makeTag('after-stop');
    await settled(client);
    expect(client.left).toEqual([]);
    client.send({type: 'connection_terminate'});
    expect((await client.ended()).code).toBe(1000);
  });

  test('a query and a mutation are answered once', async () => {
    const client = await legacy('{ BuiltinTag(name__value: "nothing") { count } }');
    expect(await client.take(2)).toEqual([
      {type: 'data', id: '1', payload: {data: {BuiltinTag: {count: 0}}}},
      {type: 'complete', id: '1'},
    ]);
    client.send({
      type: 'start',
      id: 'm',
      payload: {query: 'mutation { BuiltinTagCreate(data: {name: {value: "by-socket"}}) { ok } }'},
    });
    expect(await client.take(2)).toEqual([
      {type: 'data', id: 'm', payload: {data: {BuiltinTagCreate: {ok: true}}}},
      {type: 'complete', id: 'm'},
    ]);
  });

  test('a document that is not valid is one error, and the socket goes on', async () => {
    const client = await legacy('subscription { nothing }');
    expect(await client.next()).toMatchObject({
      type: 'error',
      id: '1',
      payload: {message: expect.stringContaining('nothing'), extensions: {code: 'VALIDATION_ERROR'}},
    });
    await settled(client);
  });

  test('a start without an init is served where the handshake has shown who it is', async () => {
    const client = await new SocketClient(url, undefined, ADMIN_KEY).opened();
    client.send({type: 'start', id: 1, payload: {query: '{ ServiceInfo { version } }'}});
    expect(await client.next()).toMatchObject({type: 'data', id: '1'});
  });
});

describe('an event', () => {
  test('says what happened, to what, where, when and by whom', async () => {
    const client = await legacy(
      `subscription { event(kinds: ["BuiltinTag"]) {
        id event_type node_id branch kind occurred_at account_id is_system changes payload } }`,
    );
    await settled(client);
    const id = await makeTag('told');
    await world.graphql(
      `mutation { BuiltinTagUpdate(data: {id: "${id}", description: {value: "x"}}) { ok } }`,
      ADMIN_KEY,
    );
    await world.graphql(
      `mutation { BuiltinTagUpdate(data: {id: "${id}", description: {value: "x"}}) { ok } }`,
      ADMIN_KEY,
    );
    await world.graphql(`mutation { BuiltinTagDelete(data: {id: "${id}"}) { ok } }`, ADMIN_KEY);
    const events = (await client.take(3)).map((message: Message) => message.payload.data.event);
    expect(events.map(event => event.event_type)).toEqual([
      'service.node.created',
      'service.node.updated',
      'service.node.deleted',
    ]);
    expect(events[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      event_type: 'service.node.updated',
      node_id: id,
      branch: 'main',
      kind: 'BuiltinTag',
      occurred_at: expect.stringMatching(/^2030-06-01T.*Z$/),
      account_id: admin,
      is_system: false,
      changes: [
        {
          field: 'description',
          is: 'attribute',
          previous_value: null,
          new_value: 'x',
          properties: {is_default: false},
        },
      ],
      payload: {},
    });
    const ids = events.map(event => event.id);
    expect(ids.toSorted()).toEqual(ids);
    await settled(client);
    expect(client.left).toEqual([]);
  });

  test('is told again to whoever goes on behind the last one they saw', async () => {
    const client = await legacy('subscription { event(kinds: ["BuiltinTag"]) { id node_id } }');
    await settled(client);
    await makeTag('seen');
    const {id} = (await client.next()).payload.data.event;
    client.ws.terminate();
    const missed = [await makeTag('missed-1'), await makeTag('missed-2')];
    const again = await legacy(`subscription { event(since: "${id}", kinds: ["BuiltinTag"]) { node_id } }`);
    expect((await again.take(2)).map(message => message.payload.data.event.node_id)).toEqual(missed);
    const later = await makeTag('later');
    expect((await again.next()).payload.data.event.node_id).toBe(later);
  });

  test('of another branch is told only to those who ask for all branches', async () => {
    await world.graphql('mutation { BranchCreate(data: {name: "side"}) { ok } }', ADMIN_KEY);
    const [main, side, all] = [
      await legacy(EVENT),
      await legacy(EVENT, '1', await world.socketUrl('side')),
      await legacy('subscription { event(branch_only: false) { event_type node_id } }'),
    ];
    for (const client of [main, side, all]) await settled(client);
    const onSide = await makeTag('on-side', 'side');
    const onMain = await makeTag('on-main');
    const nodes = async (client: SocketClient, count: number) =>
      (await client.take(count)).map(message => message.payload.data.event.node_id);
    expect(await nodes(main, 1)).toEqual([onMain]);
    expect(await nodes(side, 1)).toEqual([onSide]);
    expect(await nodes(all, 2)).toEqual([onSide, onMain]);
    await world.graphql('mutation { BranchMerge(data: {name: "side"}) { ok } }', ADMIN_KEY);
    expect((await main.take(2)).map(message => message.payload.data.event.event_type)).toEqual([
      'service.branch.merged',
      'service.node.created',
    ]);
    await world.graphql('mutation { BranchDelete(data: {name: "side"}) { ok } }', ADMIN_KEY);
    for (;;) if ((await side.next()).payload.data.event.event_type === 'service.branch.deleted') break;
    expect(await side.next()).toEqual({type: 'complete', id: '1'});
  });

  test('tells of members of groups, of the schema, and of logins', async () => {
    const client = await legacy('subscription { event { event_type node_id payload } }');
    await settled(client);
    const member = await makeTag('member');
    const {body} = await world.graphql(
      `mutation { CoreStandardGroupCreate(data: {name: {value: "g"}, members: [{id: "${member}"}]}) { object { id } } }`,
      ADMIN_KEY,
    );
    const group = body.data.CoreStandardGroupCreate.object.id;
    const told = (await client.take(4)).map(message => message.payload.data.event);
    expect(told.find(event => event.event_type === 'service.group.member_added')).toEqual({
      event_type: 'service.group.member_added',
      node_id: group,
      payload: {members: [{id: member, kind: 'BuiltinTag'}]},
    });
    const schemas = [
      {
        version: '1.0',
        nodes: [{namespace: 'Test', name: 'Thing', attributes: [{name: 'name', kind: 'Text'}]}],
      },
    ];
    const loaded = await world.ask('POST', '/api/schema/load', {headers: ADMIN_KEY, payload: {schemas}});
    expect((await client.next()).payload.data.event).toEqual({
      event_type: 'service.schema.updated',
      node_id: null,
      payload: {branch_name: 'main', schema_hash: loaded.body.hash},
    });
    const tokens = (await world.logIn()).body;
    await world.ask('POST', '/api/auth/logout', {headers: bearer(tokens.access_token)});
    expect((await client.take(2)).map(message => message.payload.data.event)).toMatchObject([
      {event_type: 'service.account.logged_in', node_id: admin},
      {event_type: 'service.account.logged_out', node_id: admin},
    ]);
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['no JSON', '{', 'The message is not valid JSON'],
    ['no object', '[]', 'The message is not a JSON object'],
    ['an unknown type', {type: 'what', id: '1'}, 'Invalid message type!'],
    ['a start without an id', {type: 'start', payload: {query: '{ a }'}}, 'needs an id'],
    ['a start without a query', {type: 'start', id: '1', payload: {}}, '"query" must be given'],
    [
      'a wrong filter',
      {type: 'start', id: '1', payload: {query: 'subscription { event(event_types: ["x"]) { id } }'}},
      'not a type of event',
    ],
    [
      'a wrong since',
      {type: 'start', id: '1', payload: {query: 'subscription { event(since: "x") { id } }'}},
      'Invalid time format',
    ],
    [
      'two fields',
      {type: 'start', id: '1', payload: {query: 'subscription { a: event { id } b: event { id } }'}},
      'must select only one top level field',
    ],
    [
      'an unknown stored query',
      {type: 'start', id: '1', payload: {query: 'subscription { query(name: "x") }'}},
      'Unable to find the node x',
    ],
  ];
  test.each(cases)('%s on graphql-ws is an error, and the socket goes on', async (_what, message, why) => {
    const client = await new SocketClient(url, 'graphql-ws', ADMIN_KEY).opened();
    client.send(message);
    expect(await client.next()).toMatchObject({
      type: 'error',
      payload: {message: expect.stringContaining(why)},
    });
    await settled(client);
  });

  const closes: readonly (readonly [string, readonly unknown[], number])[] = [
    ['no JSON', ['{'], 4400],
    ['an unknown type', [{type: 'start', id: '1'}], 4400],
    ['a subscribe before the init', [{type: 'subscribe', id: '1', payload: {query: '{ a }'}}], 4401],
    ['a second init', [{type: 'connection_init'}, {type: 'connection_init'}], 4429],
  ];
  test.each(closes)('%s on graphql-transport-ws closes the socket', async (_what, messages, code) => {
    const client = await new SocketClient(url, 'graphql-transport-ws', ADMIN_KEY).opened();
    for (const message of messages) client.send(message);
    expect((await client.ended()).code).toBe(code);
  });

  test('an id in use closes a graphql-transport-ws socket, and takes its place on graphql-ws', async () => {
    const modern = await new SocketClient(url, 'graphql-transport-ws', ADMIN_KEY).opened();
    modern.send({type: 'connection_init'});
    expect(await modern.next()).toEqual({type: 'connection_ack'});
    const message = {type: 'subscribe', id: 'x', payload: {query: EVENT}};
    modern.send(message);
    modern.send(message);
    expect(await modern.ended()).toEqual({code: 4409, reason: 'Subscriber for x already exists'});
    const old = await legacy(EVENT, 'x');
    old.send({type: 'start', id: 'x', payload: {query: EVENT}});
    await settled(old);
    await makeTag('once');
    expect((await old.next()).id).toBe('x');
    await settled(old);
    expect(old.left).toEqual([]);
  });

  test('pings of graphql-transport-ws are answered', async () => {
    const client = await new SocketClient(url, 'graphql-transport-ws', ADMIN_KEY).opened();
    client.send({type: 'ping', payload: {a: 1}});
    expect(await client.next()).toEqual({type: 'pong', payload: {a: 1}});
  });

  test('a message of 10 MB closes the socket with 1009', async () => {
    const client = await new SocketClient(url, 'graphql-ws', ADMIN_KEY).opened();
    client.send('x'.repeat(10_000_000));
    expect((await client.ended()).code).toBe(1009);
  });

  test('an unknown branch, path or subprotocol is refused', async () => {
    expect(await refusedHandshake(await world.socketUrl('nowhere'), ADMIN_KEY)).toMatchObject({
      status: 404,
      body: {errors: [{extensions: {code: 'BRANCH_NOT_FOUND'}}]},
    });
    expect((await refusedHandshake(url.replace('/graphql/', '/other/'))).status).toBe(404);
    const client = new SocketClient(url, 'mqtt', ADMIN_KEY);
    expect([1006, 4406]).toContain((await client.ended()).code);
  });
});

describe('who may open a socket', () => {
  const init = async (protocol: string, payload: unknown, headers: Record<string, string> = {}) => {
    const client = await new SocketClient(url, protocol, headers).opened();
    client.send({type: 'connection_init', payload});
    return client;
  };

  test('nobody without credentials, whatever anonymous access says', async () => {
    const old = await init('graphql-ws', {});
    expect(await old.next()).toEqual({type: 'error', payload: {message: 'Authentication is required'}});
    expect(await old.ended()).toEqual({code: 4401, reason: 'Authentication is required'});
    expect(await (await init('graphql-transport-ws', {})).ended()).toEqual({
      code: 4403,
      reason: 'Authentication is required',
    });
  });

  test('nobody with bad credentials, in headers or in the payload', async () => {
    expect(await refusedHandshake(url, bearer('nonsense'))).toEqual({
      status: 401,
      body: {errors: ['Invalid token']},
    });
    const client = await init('graphql-ws', {Authorization: 'Bearer nonsense'});
    expect((await client.ended()).reason).toBe('Invalid token');
  });

  test('whoever shows a token or a key in the payload, under any of its names', async () => {
    const token = (await world.logIn()).body.access_token;
    for (const payload of [
      {Authorization: `Bearer ${token}`},
      {authorization: `bearer ${token}`},
      {headers: {Authorization: `Bearer ${token}`}},
      {'X-SERVICE-KEY': ADMIN_TOKEN},
      {'X-INFRAHUB-KEY': ADMIN_TOKEN},
    ]) {
      expect(await (await init('graphql-ws', payload)).next()).toEqual({type: 'connection_ack'});
    }
  });

  test('a browser with its cookie, unless a page of somebody else made it', async () => {
    const cookie = `access_token=${(await world.logIn()).body.access_token}`;
    const own = await init(
      'graphql-ws',
      {},
      {cookie, origin: url.replace('ws:', 'http:').replace('/graphql/main', '')},
    );
    expect(await own.next()).toEqual({type: 'connection_ack'});
    const foreign = await init('graphql-ws', {}, {cookie, origin: 'https://evil.example.com'});
    expect((await foreign.ended()).reason).toContain('another origin');
  });
});

describe('a socket ends', () => {
  const open = async (token: string) => {
    const client = await new SocketClient(url, 'graphql-ws', bearer(token)).opened();
    client.send({type: 'connection_init'});
    expect(await client.next()).toEqual({type: 'connection_ack'});
    return client;
  };

  test('with its session, and no other does', async () => {
    const [one, other] = [(await world.logIn()).body, (await world.logIn()).body];
    const [first, second] = [await open(one.access_token), await open(other.access_token)];
    await world.ask('POST', '/api/auth/logout', {headers: bearer(one.access_token)});
    expect((await first.ended()).code).toBe(4401);
    await settled(second);
  });

  test('with its account and with its API key', async () => {
    const {id, key} = await world.account('leaving', []);
    const start = async () => {
      const client = await new SocketClient(url, 'graphql-transport-ws', key).opened();
      client.send({type: 'connection_init'});
      await client.next();
      return client;
    };
    const client = await start();
    await world.update(id, {status: 'inactive'});
    expect(await client.ended()).toEqual({code: 4403, reason: 'This account has been deactivated'});
    await world.update(id, {status: 'active'});
    const again = await start();
    await world.store.write(MAIN, {account: null}, draft => draft.delete(id));
    expect((await again.ended()).reason).toBe('Invalid token');
  });

  test('when its token runs out', async () => {
    const client = await open((await world.logIn()).body.access_token);
    world.pass(3601);
    expect(await client.ended()).toEqual({code: 4401, reason: 'Expired Signature'});
  });
});
