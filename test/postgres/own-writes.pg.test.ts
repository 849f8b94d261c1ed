import {afterAll, expect, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openPostgresGraphStore} from '../../src/adapters/postgres/open-postgres-store.ts';
import {Databases} from '../../src/adapters/postgres/postgres-harness.ts';
import {ALL_KINDS, chosen, freshId, MAIN, putKinds, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {AS_ADMIN, openWholeService, type WholeService} from '../api/whole-service.ts';
import {interrupting} from './interrupting-proxy.ts';

const databases = new Databases();
afterAll(() => databases.close());
const url = await databases.take();
const {port} = new URL(url);
const proxy = await interrupting(Number(port));
afterAll(() => proxy.close());
const environment = {
  SERVICE_SECURITY_SECRET_KEY: 'a-secret-that-both-servers-know',
  SERVICE_DATABASE_CONNECTIONS: '3',
};
const writer = await openWholeService({...environment, SERVICE_DATABASE_URL: url});
// It hears nothing of what the other commits, and does not know that.
const reader = await openWholeService({
  ...environment,
  SERVICE_DATABASE_URL: url.replace(port, String(proxy.port)),
});
proxy.muteConnectionsThatSaid('LISTEN');

const login = await writer.post('/api/auth/login', {username: 'admin', password: 'service'}, {});
const token = login.body.access_token as string;

type Headers = Readonly<Record<string, string>>;
const CREDENTIALS: readonly (readonly [name: string, on: (server: WholeService) => Headers])[] = [
  ['an API key', () => AS_ADMIN],
  ['a token', () => ({authorization: `Bearer ${token}`})],
  ['the cookie of a session', ({address}) => ({cookie: `access_token=${token}`, origin: address})],
];

const graphql = (on: WholeService, query: string, headers: Headers) =>
  on.post('/graphql/main', {query}, headers);

async function createdTag(name: string, headers: Headers): Promise<string> {
  const query = `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { object { id } } }`;
  const {body} = await graphql(writer, query, headers);
  return body.data.BuiltinTagCreate.object.id;
}

const seen = async (id: string, headers: Headers): Promise<number> =>
  (await graphql(reader, `{ BuiltinTag(ids: ["${id}"]) { count } }`, headers)).body.data.BuiltinTag.count;

test.each(CREDENTIALS)('whoever shows %s sees on any server what they wrote on another', async (name, on) => {
  for (let round = 0; round < 5; round += 1) {
    const id = await createdTag(`${name} ${round}`, on(writer));
    expect(await seen(id, on(reader))).toBe(1);
  }
});

test('a store that hears nothing sees what others have written once it looks', async () => {
  const own = await databases.take();
  const way = await interrupting(Number(new URL(own).port));
  const one = await openPostgresGraphStore({url: own, clock: systemClock});
  await putKinds(one, MAIN, ...ALL_KINDS);
  const deaf = await openPostgresGraphStore({url: own.replace(port, String(way.port)), clock: systemClock});
  way.muteConnectionsThatSaid('LISTEN');
  const id = freshId();
  await one.write(MAIN, SERVICE, draft =>
    draft.create({id, kind: 'TestTag', attributes: chosen({name: 'unheard'})}),
  );
  const before = await deaf.snapshot({branch: MAIN});
  await Promise.all([deaf.latest(), deaf.latest(), deaf.latest()]);
  const after = await deaf.snapshot({branch: MAIN});
  expect(await before.node(id)).toBe(undefined);
  expect((await after.node(id))?.id).toBe(id);
  for (const part of [deaf, one, way]) await part.close();
});

test('many who ask at once all see what was acknowledged before', async () => {
  for (let round = 0; round < 3; round += 1) {
    const id = await createdTag(`asked for by many ${round}`, AS_ADMIN);
    const counts = await Promise.all(Array.from({length: 20}, () => seen(id, AS_ADMIN)));
    expect(new Set(counts)).toEqual(new Set([1]));
  }
});

test('a schema, and a right taken away, count at once on the server that did not hear of them', async () => {
  const schema = {
    version: '1.0',
    nodes: [{name: 'Device', namespace: 'Infra', attributes: [{name: 'name', kind: 'Text'}]}],
  };
  expect((await writer.post('/api/schema/load', {schemas: [schema]})).status).toBe(200);
  expect((await reader.get('/api/schema/InfraDevice')).status).toBe(200);
  const {body} = await graphql(
    writer,
    'mutation { CoreAccountCreate(data: {name: {value: "eve"}, password: {value: "passw0rd-of-eve"}}) { object { id } } }',
    AS_ADMIN,
  );
  const {id} = body.data.CoreAccountCreate.object;
  const session = await writer.post('/api/auth/login', {username: 'eve', password: 'passw0rd-of-eve'}, {});
  const eve = {authorization: `Bearer ${session.body.access_token}`};
  expect((await reader.get('/api/schema/summary', eve)).status).toBe(200);
  const update = `mutation { CoreAccountUpdate(data: {id: "${id}", status: {value: "inactive"}}) { ok } }`;
  await graphql(writer, update, AS_ADMIN);
  expect((await reader.get('/api/schema/summary', eve)).status).toBe(401);
});
