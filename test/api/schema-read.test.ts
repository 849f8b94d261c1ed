import {describe, expect, test} from 'vitest';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {envelope} from './open-server.ts';
import {kind, openWorld, text} from './schema-world.ts';

const DEVICE = {
  generics: [kind('Endpoint', {attributes: [text('speed', {optional: true})]})],
  nodes: [
    kind('Device', {
      description: 'A device',
      inherit_from: ['InfraEndpoint'],
      attributes: [text('name', {unique: true})],
    }),
  ],
};

describe('GET /api/schema', () => {
  test('answers every part of the schema, internal kinds hidden', async () => {
    const world = await openWorld();
    await world.load(DEVICE);
    const {status, body, headers} = await world.get('/api/schema');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('application/json');
    expect(Object.keys(body)).toEqual(['main', 'nodes', 'generics', 'profiles', 'templates', 'namespaces']);
    const kinds = body.nodes.map((each: {kind: string}) => each.kind);
    expect(kinds).toEqual(expect.arrayContaining(['InfraDevice', 'CoreAccount', 'BuiltinTag']));
    expect(kinds.filter((each: string) => each.startsWith('Internal'))).toEqual([]);
    const device = body.nodes.find((each: {kind: string}) => each.kind === 'InfraDevice');
    expect(device.attributes.map((each: {name: string}) => each.name)).toEqual(['name', 'speed']);
    expect(body.namespaces).toContainEqual({name: 'Infra', user_editable: true});
  });

  test('narrows to namespaces, whose list stays whole; an unknown one is empty', async () => {
    const world = await openWorld();
    await world.load(DEVICE);
    const infra = (await world.get('/api/schema?namespaces=Infra')).body;
    expect([infra.nodes.length, infra.generics.length, infra.profiles.length]).toEqual([1, 1, 0]);
    expect(infra.namespaces.length).toBeGreaterThan(3);
    const two = (await world.get('/api/schema?namespaces=Infra&namespaces=Lineage')).body;
    expect(two.generics.map((each: {kind: string}) => each.kind).sort()).toEqual([
      'InfraEndpoint',
      'LineageOwner',
      'LineageSource',
    ]);
    const none = await world.get('/api/schema?namespaces=Nowhere');
    expect([none.status, none.body.nodes]).toEqual([200, []]);
  });

  test('is not sent again to who has it, until it changes', async () => {
    const world = await openWorld();
    const first = await world.get('/api/schema');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await world.get('/api/schema', {'if-none-match': known});
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await world.get('/api/schema', {'if-none-match': '"other"'})).status).toBe(200);
    const narrow = await world.get('/api/schema?namespaces=Infra', {'if-none-match': etag});
    expect(narrow.status).toBe(200);
    await world.load(DEVICE);
    expect((await world.get('/api/schema', {'if-none-match': etag})).status).toBe(200);
  });

  test('shows the ids of what was removed and added again, whose hash is the same', async () => {
    const world = await openWorld();
    await world.load(DEVICE);
    const ids = async () => {
      const {body} = await world.get('/api/schema?namespaces=Infra');
      return [body.main, body.nodes[0].id];
    };
    const before = await ids();
    await world.load({nodes: [kind('Device', {state: 'absent'})]});
    await world.load(DEVICE);
    const after = await ids();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('is that of the branch and of the instant', async () => {
    const world = await openWorld();
    const branch = await world.branch('feature/one');
    const before = formatInstant(world.store.now());
    const main = await world.hash();
    await world.load(DEVICE, branch);
    const hashes = async (query: string) => (await world.get(`/api/schema${query}`)).body.main;
    expect(await hashes('')).toBe(main);
    expect(await hashes('?branch=feature/one')).not.toBe(main);
    expect(await hashes('?branch=feature%2Fone')).not.toBe(main);
    expect(await hashes(`?branch=feature/one&at=${before}`)).toBe(main);
    expect(await hashes('?branch=')).toBe(main);
    expect(await hashes('?at=now')).toBe(main);
  });

  test.each([
    ['?branch=nowhere', 400, 'Branch: nowhere not found.'],
    ['?branch=-global-', 400, 'Branch: -global- not found.'],
    ["?branch=' OR 1=1 --", 400, "Branch: ' OR 1=1 -- not found."],
  ])('%s is %i', async (query, status, message) => {
    const world = await openWorld();
    const answer = await world.get(`/api/schema${encodeURI(query)}`);
    expect([answer.status, answer.body]).toEqual([status, envelope(status, message)]);
  });

  test.each([
    'yesterday',
    '2030-13-01T00:00:00Z',
    '2030-01-01',
    '-5y',
    '1999-01-01T00:00:00Z',
    '2999-01-01T00:00:00Z',
  ])('the time %s is a bad request', async at => {
    const world = await openWorld();
    for (const path of ['', '/summary', '/CoreNode', '/json_schema/CoreNode']) {
      const answer = await world.get(`/api/schema${path}?at=${at}`);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringContaining(at),
        extensions: {code: 400},
      });
    }
  });
});

describe('GET /api/schema/summary', () => {
  test('has the hashes, both under hash and beside it', async () => {
    const world = await openWorld();
    await world.load(DEVICE);
    const {body} = await world.get('/api/schema/summary');
    expect(Object.keys(body).sort()).toEqual(['generics', 'hash', 'main', 'nodes']);
    expect(body.hash).toEqual({main: body.main, nodes: body.nodes, generics: body.generics});
    expect(body.nodes.InfraDevice).toMatch(/^[0-9a-f]{32}$/);
    const full = (await world.get('/api/schema')).body;
    expect(full.main).toBe(body.main);
  });

  test('is the same on two deployments that loaded the same schema', async () => {
    const [one, other] = [await openWorld(), await openWorld()];
    await one.load({nodes: DEVICE.nodes, generics: DEVICE.generics});
    await other.load({generics: DEVICE.generics});
    await other.load({nodes: DEVICE.nodes});
    expect((await one.get('/api/schema/summary')).body).toEqual(
      (await other.get('/api/schema/summary')).body,
    );
  });
});

describe('GET /api/schema/{kind}', () => {
  test.each(['CoreNode', 'BuiltinTag', 'ProfileBuiltinTag', 'InternalAccountToken'])(
    'shows %s',
    async name => {
      const world = await openWorld();
      const {status, body} = await world.get(`/api/schema/${name}`);
      expect([status, body.kind]).toEqual([200, name]);
      expect(body).toMatchObject({
        id: expect.any(String),
        hash: expect.any(String),
        attributes: expect.any(Array),
      });
    },
  );

  test.each([
    'InfraNothing',
    'load',
    'check',
    'json_schema',
    "x'; DROP TABLE ver; --",
    'ünïcode',
    '__proto__',
    'constructor',
  ])('knows no kind %s', async name => {
    const world = await openWorld();
    for (const path of [
      `/api/schema/${encodeURIComponent(name)}`,
      `/api/schema/json_schema/${encodeURIComponent(name)}`,
    ]) {
      const {status, body} = await world.get(path);
      expect(status).toBe(404);
      expect(body).toEqual(envelope(404, `Unable to find the schema '${name}' on this branch`));
    }
  });
});

test('GET /api/schema/json_schema/{kind} describes the attributes', async () => {
  const world = await openWorld();
  await world.load(DEVICE);
  expect((await world.get('/api/schema/json_schema/InfraDevice')).body).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Device',
    description: 'A device',
    type: 'object',
    properties: {
      name: {title: 'Name', type: 'string'},
      speed: {title: 'Speed', type: 'string', default: null},
    },
    required: ['name'],
  });
});
