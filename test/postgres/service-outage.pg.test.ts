import {afterAll, expect, test} from 'vitest';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {SocketClient} from '../api/socket-client.ts';
import {AS_ADMIN, openWholeService} from '../api/whole-service.ts';

const database = await startPostgres();
// Hooks run last to first: the service stops before its database does.
afterAll(() => database.stop());
const service = await openWholeService({
  SERVICE_DATABASE_URL: database.urlOf('postgres'),
  SERVICE_DATABASE_CONNECTIONS: '4',
});

const createTag = (name: string) =>
  service.post('/graphql/main', {
    query: `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok object { id } } }`,
  });

test('a service outlives its database: refusals in the meantime, and everything goes on after it', async () => {
  const address = `${service.address.replace('http', 'ws')}/graphql/main`;
  const client = await new SocketClient(address, 'graphql-ws', AS_ADMIN).opened();
  client.send({type: 'connection_init', payload: {}});
  await client.next();
  const query = 'subscription { event(kinds: ["BuiltinTag"]) { event_type node_id } }';
  client.send({type: 'start', id: '1', payload: {query}});
  client.send({type: 'start', id: 'settled', payload: {query: '{ ServiceInfo { version } }'}});
  for (;;) if ((await client.next()).type === 'complete') break;
  expect((await createTag('before')).body.data.BuiltinTagCreate.ok).toBe(true);
  expect((await client.next()).payload.data.event.event_type).toBe('service.node.created');

  await database.kill();
  const refused = await service.get('/api/schema/summary');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  const health = await service.get('/api/health');
  expect(health.status).toBe(503);
  const down = (health.body.checks as {name: string; status: string}[]).filter(
    check => check.status !== 'up',
  );
  expect(down.map(check => check.name)).toEqual(expect.arrayContaining(['database', 'message_bus']));

  await database.start();
  const after = await createTag('after');
  expect(after.body.data?.BuiltinTagCreate?.ok, JSON.stringify(after.body)).toBe(true);
  const told = await client.next();
  expect(told.payload.data.event.node_id).toBe(after.body.data.BuiltinTagCreate.object.id);
  await expect.poll(async () => (await service.get('/api/health')).status, {timeout: 20_000}).toBe(200);
});
