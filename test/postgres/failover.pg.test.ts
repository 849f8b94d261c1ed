import pg from 'pg';
import {afterAll, expect, test} from 'vitest';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';
import {openWholeService} from '../api/whole-service.ts';
import {interrupting} from './interrupting-proxy.ts';

const primary = await startPostgres();
const standby = await primary.withStandby();
// Hooks run last to first: the service stops before its databases do.
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});
/** The address that moves from one server to the other. */
const address = await interrupting(primary.port);
afterAll(() => address.close());
const service = await openWholeService({
  SERVICE_DATABASE_URL: primary.urlOf('postgres').replace(String(primary.port), String(address.port)),
  SERVICE_DATABASE_CONNECTIONS: '4',
});

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({connectionString: url});
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const create = (name: string) =>
  service.post('/graphql/main', {
    query: `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok } }`,
  });
const isMade = (answer: Awaited<ReturnType<typeof create>>) =>
  answer.body.data?.BuiltinTagCreate?.ok === true;

async function names(): Promise<readonly string[]> {
  const {body} = await service.post('/graphql/main', {
    query: '{ BuiltinTag { edges { node { name { value } } } } }',
  });
  return body.data.BuiltinTag.edges.map((edge: {node: {name: {value: string}}}) => edge.node.name.value);
}

test('a primary that has become read-only answers questions, and writes are told to come back', async () => {
  expect(isMade(await create('before'))).toBe(true);
  const url = primary.urlOf('postgres');
  const reload = 'SELECT pg_reload_conf()';
  await run(url, 'ALTER SYSTEM SET default_transaction_read_only = on', reload);
  await expect.poll(async () => (await create('refused')).status, {timeout: 20_000}).toBe(503);
  const refused = await create('refused again');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.text).toContain('nothing was written');
  expect(await names()).toContain('before');
  expect(await names()).not.toContain('refused again');
  const writable = 'SET default_transaction_read_only = off';
  await run(url, writable, 'ALTER SYSTEM RESET default_transaction_read_only', reload);
  await expect.poll(async () => isMade(await create('accepted again')), {timeout: 20_000}).toBe(true);
});

test('when the primary dies and its standby takes over, nothing acknowledged is lost, without a restart of ours', async () => {
  const made: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let round = 0; !isOver; round += 1) {
      const name = `round ${round}`;
      const answer = await create(name);
      if (isMade(answer)) made.push(name);
      else refused.push(`${name}: ${answer.status} ${answer.headers.get('retry-after')}`);
    }
  })();
  await expect.poll(() => made.length, {timeout: 30_000}).toBeGreaterThan(20);
  await primary.kill('SIGKILL');
  const before = made.length;
  await run(standby.urlOf('postgres'), 'SELECT pg_promote()');
  address.leadTo(standby.port);
  await expect.poll(() => made.length, {timeout: 30_000}).toBeGreaterThan(before + 20);
  isOver = true;
  await writing;
  expect(await names()).toEqual(expect.arrayContaining(['before', ...made]));
  for (const each of refused) expect(each).toMatch(/: 503 1$/);
  expect((await service.post('/api/operations/verify')).body.problems).toEqual([]);
  await expect.poll(async () => (await service.get('/api/health')).status, {timeout: 20_000}).toBe(200);
});
