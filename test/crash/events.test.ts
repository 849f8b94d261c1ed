import {expect, test} from 'vitest';
import {type Message, SocketClient} from '../api/socket-client.ts';
import {addressOf, startServer, tempFolder} from '../process/start-process.ts';

const KEY = {'x-service-key': 'the-key-of-the-crash-test'};
const WRITERS = 8;
const SEEN_BEFORE_KILL = 25;

async function create(address: string, name: string): Promise<string> {
  const data = await ask(
    address,
    `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { object { id } } }`,
  );
  return data.BuiltinTagCreate.object.id;
}

async function lastEvent(address: string): Promise<string> {
  const data = await ask(address, '{ ServiceEvent(first: 1) { edges { cursor } } }');
  return data.ServiceEvent.edges[0].cursor;
}

async function ask(address: string, query: string): Promise<Message> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {...KEY, 'content-type': 'application/json'},
    body: JSON.stringify({query}),
  });
  return ((await response.json()) as Message).data;
}

async function follow(address: string, since: string): Promise<SocketClient> {
  const client = await new SocketClient(
    `${address.replace('http:', 'ws:')}/graphql`,
    'graphql-ws',
    KEY,
  ).opened();
  const query = `subscription { event(kinds: ["BuiltinTag"], since: "${since}") { id node_id } }`;
  client.send({type: 'connection_init'});
  client.send({type: 'start', id: 's', payload: {query}});
  expect(await client.next()).toEqual({type: 'connection_ack'});
  return client;
}

test('whoever follows a service that is killed goes on without a gap', {timeout: 600_000}, async () => {
  const folder = tempFolder();
  const env = {SERVICE_DATA_DIR: folder, SERVICE_INITIAL_ADMIN_TOKEN: KEY['x-service-key']};
  const first = startServer(env);
  const address = await addressOf(first);
  const client = await follow(address, await lastEvent(address));
  const acknowledged: string[] = [];
  const write = async (writer: number) => {
    for (let index = 0; ; index += 1) {
      const id = await create(address, `crash-${writer}-${index}`).catch(() => undefined);
      if (id === undefined) return;
      acknowledged.push(id);
    }
  };
  const writers = Promise.all(Array.from({length: WRITERS}, (_, writer) => write(writer)));
  const seen: {readonly id: string; readonly node_id: string}[] = [];
  while (seen.length < SEEN_BEFORE_KILL) seen.push((await client.next()).payload.data.event);
  first.child.kill('SIGKILL');
  await first.ended();
  await writers;
  await client.ended();
  for (const message of client.left) seen.push(message.payload.data.event);

  const second = startServer(env);
  const again = await follow(await addressOf(second), seen.at(-1)!.id);
  const last = await create(await addressOf(second), 'after the crash');
  while (seen.at(-1)?.node_id !== last) seen.push((await again.next()).payload.data.event);

  const nodes = seen.map(event => event.node_id);
  expect(new Set(nodes).size).toBe(nodes.length);
  expect(acknowledged.filter(id => !nodes.includes(id))).toEqual([]);
  const ids = seen.map(event => event.id);
  expect(ids.toSorted()).toEqual(ids);
});
