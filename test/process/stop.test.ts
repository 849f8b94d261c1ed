import {once} from 'node:events';
import {connect} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {WebSocket} from 'ws';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {startService} from '../../src/main/compose.ts';
import {type OpenStore, openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';
import {addressOf, startServer, tempFolder} from './start-process.ts';

const log = createJsonLog({level: 'CRITICAL', clock: {nowMicros: () => 0}, to: {write: () => {}}});

/** Opens a real store that says when it is closed, and checks itself as the test wants. */
const watchedStore =
  (events: string[], check?: () => Promise<void>): OpenStore =>
  async (folder, settings) => {
    const store = await openStore(folder, settings);
    const close = store.close.bind(store);
    if (check !== undefined) store.check = check;
    store.close = async () => {
      await close();
      events.push('store closed');
    };
    return store;
  };

/** A service whose health check waits until the test lets it go. */
async function startWithSlowStore(env: Record<string, string>) {
  const asked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const events: string[] = [];
  const openSlowStore = watchedStore(events, async () => {
    asked.resolve();
    await letGo.promise;
    events.push('checked');
  });
  const {settings} = readSettings({SERVICE_PORT: '0', SERVICE_DATA_DIR: tempFolder(), ...env});
  const service = await startService(settings, log, openSlowStore);
  return {service, asked: asked.promise, letGo: letGo.resolve, events};
}

/** A connection whose request is begun and never ended. */
async function beginRequest(address: string) {
  const {hostname, port} = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  await new Promise<void>(resolve => {
    socket.write('POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Le', () => resolve());
  });
  return socket;
}

describe('stopping', () => {
  test('lets a running request finish, takes no new one, and closes the store last', async () => {
    const {service, asked, letGo, events} = await startWithSlowStore({});
    const running = fetch(`${service.address}/health`);
    await asked;
    const stopped = service.stop();
    await expect(fetch(`${service.address}/health`)).rejects.toThrow();
    expect(events).toEqual([]);
    letGo();
    expect((await running).status).toBe(200);
    expect(await stopped).toBe(true);
    expect(events).toEqual(['checked', 'store closed']);
  });

  test('cuts a request off that does not finish in time, and still closes the store', async () => {
    const {service, asked, events} = await startWithSlowStore({SERVICE_SHUTDOWN_TIMEOUT: '0'});
    const running = fetch(`${service.address}/health`).then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    expect(await service.stop()).toBe(false);
    expect(await running).toBe('cut off');
    expect(events).toEqual(['store closed']);
  });

  test('a start that fails after the store was opened closes it again', async () => {
    const first = await startWithSlowStore({});
    const {port} = new URL(first.service.address);
    const events: string[] = [];
    const {settings} = readSettings({SERVICE_PORT: port, SERVICE_DATA_DIR: tempFolder()});
    await expect(startService(settings, log, watchedStore(events))).rejects.toThrow(/is in use/);
    expect(events).toEqual(['store closed']);
    first.letGo();
    await first.service.stop();
  });

  test('a burst of signals is one signal: the process waits for the unfinished request', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_SHUTDOWN_TIMEOUT: '3600'});
    const socket = await beginRequest(await addressOf(server));
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    await server.printed(/"message":"stopping"/);
    socket.destroy();
    expect(await server.ended()).toBe(0);
    expect(server.stdout.match(/"stopping"/g)).toHaveLength(1);
  });

  test('ends the sockets of subscribers, who are told that it goes away', async () => {
    const server = startServer({
      SERVICE_DATA_DIR: tempFolder(),
      SERVICE_SHUTDOWN_TIMEOUT: '3600',
      SERVICE_INITIAL_ADMIN_TOKEN: 'the-key-of-admin',
    });
    const address = (await addressOf(server)).replace('http', 'ws');
    const headers = {'X-SERVICE-KEY': 'the-key-of-admin'};
    const socket = new WebSocket(`${address}/graphql/main`, 'graphql-ws', {headers});
    await once(socket, 'open');
    socket.send(JSON.stringify({type: 'connection_init', payload: {}}));
    await once(socket, 'message');
    socket.send(JSON.stringify({type: 'start', id: '1', payload: {query: 'subscription { event { id } }'}}));
    server.child.kill('SIGTERM');
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1001);
    expect(await server.ended()).toBe(0);
  });

  test('a later signal ends the process at once', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_SHUTDOWN_TIMEOUT: '3600'});
    await beginRequest(await addressOf(server));
    const insist = setInterval(() => server.child.kill('SIGTERM'), 50);
    onTestFinished(() => clearInterval(insist));
    expect(await server.ended()).toBe(143);
  });

  test('the process ends with 1 when it had to cut requests off', async () => {
    const server = startServer({SERVICE_DATA_DIR: tempFolder(), SERVICE_SHUTDOWN_TIMEOUT: '0'});
    await beginRequest(await addressOf(server));
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(1);
    expect(server.stdout).toContain('some requests did not finish in time and were cut off');
  });
});
