import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import {assert} from '../../src/base/assert.ts';
import type {ServiceFamily, Workplace} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {time} from '../measure.ts';
import {processorMicros} from '../processor.ts';

const KEY = 'the-key-of-the-benchmark';
const PAGE_BYTES = 4096;
const LATENCY_ROUNDS = 300;
const SUBSCRIBERS = 1_000;
const EVENTS_PER_SECOND = 200;
const SECONDS = 5;
const IDLE_SOCKETS = 5_000;
const SOCKETS_AT_ONCE = 100;

/** What subscribers wait for and what they cost: a service in a process of its own, clients in this one. */
export const events: ServiceFamily = {
  name: 'events',
  on: 'nothing',
  async run(bench) {
    const service = await startService(bench);
    try {
      return [...(await latency(service)), ...(await fanOut(service)), ...(await idle(service))];
    } finally {
      service.child.kill('SIGKILL');
      await once(service.child, 'close');
    }
  },
};

interface Service {
  readonly child: ChildProcess;
  readonly address: string;
}

async function startService(bench: Workplace): Promise<Service> {
  const folder = join(bench.folder, 'events');
  mkdirSync(folder, {recursive: true});
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'src', 'main', 'serve.ts')], {
    env: {
      ...process.env,
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: folder,
      SERVICE_INITIAL_ADMIN_TOKEN: KEY,
      SERVICE_SOCKET_MAX_PER_ACCOUNT: '10000',
      SERVICE_LOG_LEVEL: 'ERROR',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    words += String(chunk);
    const found = /ready at (http:\S+)/.exec(words);
    if (found !== null) return {child, address: found[1]!};
  }
  throw new Error(`the service did not start: ${words}`);
}

async function write({address}: Service, name: string): Promise<void> {
  const query = `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok } }`;
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {'x-service-key': KEY, 'content-type': 'application/json'},
    body: JSON.stringify({query}),
  });
  assert(response.ok && !(await response.text()).includes('errors'), 'a write of the benchmark failed');
}

async function open({address}: Service, onMessage: (text: string) => void): Promise<WebSocket> {
  const url = `${address.replace('http:', 'ws:')}/graphql`;
  const socket = new WebSocket(url, 'graphql-ws', {
    headers: {'x-service-key': KEY},
    perMessageDeflate: false,
  });
  const {promise: acknowledged, resolve} = Promise.withResolvers<void>();
  socket.on('message', data => {
    const text = String(data as Buffer);
    if (text.includes('"connection_ack"')) resolve();
    else onMessage(text);
  });
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await acknowledged;
  return socket;
}

const subscribe = (socket: WebSocket): void =>
  socket.send(
    JSON.stringify({
      type: 'start',
      id: '1',
      payload: {query: 'subscription { event(kinds: ["BuiltinTag"]) { id event_type node_id occurred_at } }'},
    }),
  );

async function many(service: Service, count: number, onMessage: (index: number, text: string) => void) {
  const sockets: WebSocket[] = [];
  for (let start = 0; start < count; start += SOCKETS_AT_ONCE) {
    const some = Math.min(SOCKETS_AT_ONCE, count - start);
    const opened = Array.from({length: some}, (_, index) =>
      open(service, text => onMessage(start + index, text)),
    );
    sockets.push(...(await Promise.all(opened)));
  }
  return sockets;
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  const closed = sockets.map(socket => once(socket, 'close'));
  for (const socket of sockets) socket.close();
  await Promise.all(closed);
}

/** From the instant of the commit, which is before it is durable, until a subscriber in another process has it. */
async function latency(service: Service): Promise<readonly Figure[]> {
  let told = Promise.withResolvers<number>();
  const socket = await open(service, text => {
    const occurred = /"occurred_at":"([^"]+)"/.exec(text)?.[1];
    if (occurred === undefined) return;
    const micros = Number(occurred.slice(-4, -1)) + Date.parse(`${occurred.slice(0, -4)}Z`) * 1000;
    told.resolve((performance.timeOrigin + performance.now()) * 1000 - micros);
  });
  subscribe(socket);
  await write(service, 'latency warm');
  const samples: number[] = [];
  for (let round = 0; round < LATENCY_ROUNDS; round += 1) {
    told = Promise.withResolvers();
    await write(service, `latency ${round}`);
    samples.push(await told.promise);
  }
  await closeAll([socket]);
  return [time('events, commit to message', samples)];
}

/** Every subscriber gets every event; what the service takes for it is read from its processor time. */
async function fanOut(service: Service): Promise<readonly Figure[]> {
  const counts = new Int32Array(SUBSCRIBERS);
  let received = 0;
  const total = EVENTS_PER_SECOND * SECONDS * SUBSCRIBERS;
  const {promise: done, resolve} = Promise.withResolvers<void>();
  const sockets = await many(service, SUBSCRIBERS, index => {
    counts[index] = counts[index]! + 1;
    received += 1;
    if (received === total) resolve();
  });
  for (const socket of sockets) subscribe(socket);
  await new Promise(settle => setTimeout(settle, 500));
  const before = processorMicros([service.child.pid!]);
  const start = performance.now();
  await Promise.all(
    Array.from({length: EVENTS_PER_SECOND * SECONDS}, async (_, index) => {
      const due = (index * 1000) / EVENTS_PER_SECOND;
      await new Promise(settle => setTimeout(settle, due));
      await write(service, `fan ${index}`);
    }),
  );
  await done;
  const seconds = (performance.now() - start) / 1000;
  assert(
    counts.every(count => count === EVENTS_PER_SECOND * SECONDS),
    'a subscriber missed an event or saw one twice',
  );
  const spent = processorMicros([service.child.pid!]) - before;
  await closeAll(sockets);
  return [
    {
      name: `events, messages to ${SUBSCRIBERS} subscribers at ${EVENTS_PER_SECOND} events/s`,
      unit: 'perSecond',
      value: total / seconds,
    },
    {name: 'events, processor time of the service for each message', unit: 'micros', value: spent / total},
  ];
}

async function idle(service: Service): Promise<readonly Figure[]> {
  const before = memoryBytes(service);
  const sockets = await many(service, IDLE_SOCKETS, () => undefined);
  const after = memoryBytes(service);
  await closeAll(sockets);
  return [{name: `events, memory of ${IDLE_SOCKETS} idle sockets`, unit: 'bytes', value: after - before}];
}

const memoryBytes = ({child}: Service): number =>
  Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
