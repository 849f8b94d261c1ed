import {beforeAll, describe, expect, test} from 'vitest';
import {kind, openWorld, type SchemaWorld, text} from './schema-world.ts';

let world: SchemaWorld;
let hash: string;

beforeAll(async () => {
  world = await openWorld();
  hash = await world.hash();
});

const load = (payload: unknown) => world.ask('POST', '/api/schema/load', payload);
const root = (rest: object) => ({schemas: [{version: '1.0', ...rest}]});
const device = (rest: object) => root({nodes: [kind('Device', rest)]});
const attribute = (rest: object) => device({attributes: [{name: 'field', kind: 'Text', ...rest}]});

/** What is wrong and where, as a client reads it. */
async function flaws(payload: unknown): Promise<readonly string[]> {
  const {status, body} = await load(payload);
  expect(status).toBe(422);
  expect(body.data).toBe(null);
  expect(body.errors.length).toBe(body.detail.length);
  for (const {extensions} of body.errors) expect(extensions.code).toBe(422);
  for (const {msg, type} of body.detail) expect([typeof msg, typeof type]).toEqual(['string', 'string']);
  expect(await world.hash()).toBe(hash);
  return body.detail.map(({loc}: {loc: unknown[]}) => loc.join('.')).sort();
}

describe('the request', () => {
  test.each([
    [undefined, ['body']],
    [[], ['body']],
    [{}, ['body.schemas']],
    [{schemas: []}, ['body.schemas']],
    [{schemas: null}, ['body.schemas']],
    [{schemas: 'text'}, ['body.schemas']],
    [{schemas: {version: '1.0'}}, ['body.schemas']],
    [{schemas: [null]}, ['body.schemas.0']],
    [{schemas: [[]]}, ['body.schemas.0']],
    [{schemas: [{}]}, ['body.schemas.0.version']],
    [{schemas: [{version: 1}]}, ['body.schemas.0.version']],
    [{schemas: [{version: '1.0'}, {version: null}]}, ['body.schemas.1.version']],
    [{schemas: [{version: '1.0'}], extra: 1}, ['body.extra']],
    [root({stuff: []}), ['body.schemas.0.stuff']],
    [root({nodes: {}}), ['body.schemas.0.nodes']],
    [root({extensions: []}), ['body.schemas.0.extensions']],
    [root({extensions: {edges: []}}), ['body.schemas.0.extensions.edges']],
  ])('%j is refused at its place', async (payload, places) => {
    expect(await flaws(payload)).toEqual(places);
  });

  test('that is no JSON is 400', async () => {
    const answer = await world.server.inject({
      method: 'POST',
      url: '/api/schema/load',
      headers: {'content-type': 'application/json'},
      payload: '{"schemas": [',
    });
    expect(answer.statusCode).toBe(400);
  });
});

describe('a document', () => {
  test.each([
    [device({colour: 'red'}), ['nodes.0.colour']],
    [device({attributes: [{name: 'field'}]}), ['nodes.0.attributes.0.kind']],
    [attribute({kind: 'Texxt'}), ['nodes.0.attributes.0.kind']],
    [attribute({optional: 'yes'}), ['nodes.0.attributes.0.optional']],
    [attribute({colour: 'red'}), ['nodes.0.attributes.0.colour']],
    [attribute({name: 'Field'}), ['nodes.0.attributes.0.name']],
    [attribute({name: 'naïve'}), ['nodes.0.attributes.0.name']],
    [attribute({name: "x'; DROP TABLE ver; --"}), ['nodes.0.attributes.0.name']],
    [attribute({name: 'attributes'}), ['nodes.0.attributes.0']],
    [attribute({regex: '('}), ['nodes.0.attributes.0']],
    [attribute({kind: 'Number', default_value: 'x'}), ['nodes.0.attributes.0']],
    [attribute({kind: 'Dropdown'}), ['nodes.0.attributes.0']],
    [device({attributes: [text('twin'), text('twin')]}), ['nodes.0.attributes.1.name']],
    [device({relationships: [{name: 'site', peer: 'InfraNowhere'}]}), ['nodes.0.relationships.0.peer']],
    [device({relationships: [{name: 'site'}]}), ['nodes.0.relationships.0.peer']],
    [device({inherit_from: ['InfraNothing']}), ['nodes.0.inherit_from']],
    [device({human_friendly_id: ['nothing__value']}), ['nodes.0.human_friendly_id']],
    [device({uniqueness_constraints: [['nothing__value']]}), ['nodes.0.uniqueness_constraints']],
    [device({order_by: ['nothing__value']}), ['nodes.0.order_by']],
    [root({nodes: [{namespace: 'Core', name: 'Thing'}]}), ['nodes.0.namespace']],
    [root({nodes: [{namespace: 'infra', name: 'Thing'}]}), ['nodes.0.namespace']],
    [root({nodes: [{namespace: 'Infra', name: 'Gerät'}]}), ['nodes.0.name']],
    [root({nodes: [{namespace: 'Infra', name: '"; DROP TABLE node; --'}]}), ['nodes.0.name']],
    [root({nodes: [{namespace: 'Infra', name: '__proto__'}]}), ['nodes.0.name']],
    [
      root({extensions: {nodes: [{kind: 'InfraNothing', attributes: [text('field')]}]}}),
      ['extensions.nodes.0'],
    ],
  ])('%j is refused at its place', async (payload, places) => {
    const found = await flaws(payload);
    for (const place of places) {
      expect(found.some(each => each.startsWith(`body.schemas.0.${place}`))).toBe(true);
    }
  });

  test('tells all its problems at once', async () => {
    const found = await flaws(
      root({
        nodes: [
          kind('Device', {
            relationships: [{name: 'site', peer: 'InfraNowhere'}],
            order_by: ['nothing__value'],
          }),
          kind('Port', {
            inherit_from: ['InfraNothing'],
            attributes: [{name: 'size', kind: 'Number', default_value: 'x'}],
          }),
        ],
      }),
    );
    expect(found.length).toBe(4);
  });

  test('nested without end is refused, not followed', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const payload of [
      `{"schemas": [${deep}]}`,
      `{"schemas": [{"version": "1.0", "nodes": ${deep}}]}`,
      `{"schemas": [{"version": "1.0", "nodes": [{"namespace": "Infra", "name": "Deep", "attributes": [{"name": "field", "kind": "JSON", "default_value": ${deep}}]}]}]}`,
    ]) {
      const answer = await world.server.inject({
        method: 'POST',
        url: '/api/schema/load',
        headers: {'content-type': 'application/json'},
        payload,
      });
      expect(answer.statusCode).toBe(422);
    }
  });
});

/** How many requests of others are answered meanwhile. */
async function servedDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  let served = 0;
  while (!isOver) {
    expect((await world.get('/api/schema/CoreNode')).status).toBe(200);
    served += 1;
    // Requests made in this process need no turn of the event loop; the answers of other threads do.
    await new Promise(resolve => setImmediate(resolve));
  }
  return served;
}

describe('a large document', () => {
  test('of ten megabytes full of mistakes is refused, with the first thousand', async () => {
    const bad = {name: 'Bad Name', kind: 'Texxt', description: 'x'.repeat(900), surprise: true};
    const nodes = Array.from({length: 100}, (_, index) =>
      kind(`Kind${index}`, {attributes: Array.from({length: 100}, () => bad)}),
    );
    const answer = await load(root({nodes}));
    expect(answer.status).toBe(422);
    expect(answer.body.detail.length).toBe(1001);
    expect(answer.body.detail.at(-1)).toMatchObject({loc: ['body', 'schemas'], type: 'too_many_problems'});
    expect(await world.hash()).toBe(hash);
  });

  test('beyond the bound of bodies is 413', async () => {
    const answer = await load(root({nodes: [kind('Big', {description: 'x'.repeat(11_000_001)})]}));
    expect(answer.status).toBe(413);
  });

  test('of five thousand kinds that lead nowhere is refused elsewhere, while others are served', async () => {
    const nodes = Array.from({length: 5000}, (_, index) =>
      kind(`Kind${index}`, {relationships: [{name: 'next', peer: `InfraGone${index}`}]}),
    );
    const answer = load(root({nodes}));
    const served = await servedDuring(answer);
    const {status, body} = await answer;
    expect([status, body.detail.length]).toEqual([422, 1000]);
    expect(body.detail[7].loc).toEqual(['body', 'schemas', 0, 'nodes', 7, 'relationships', 0, 'peer']);
    expect(served).toBeGreaterThan(20);
  });

  test('of a thousand good kinds is loaded as if it were small', async () => {
    const large = await openWorld();
    const nodes = Array.from({length: 1000}, (_, index) =>
      kind(`Kind${index}`, {
        attributes: ['one', 'two', 'three'].map(name => text(name, {description: 'x'.repeat(50)})),
      }),
    );
    const {status, body} = await large.load({nodes});
    expect([status, Object.keys(body.diff.added).length]).toEqual([200, 1000]);
    expect((await large.load({nodes})).body).toMatchObject({schema_updated: false, hash: body.hash});
    const small = await openWorld();
    for (let from = 0; from < 1000; from += 250) await small.load({nodes: nodes.slice(from, from + 250)});
    expect(await small.hash()).toBe(body.hash);
    await large.create('InfraKind7', {one: '1', two: '2', three: '3'});
    expect(await large.problems()).toEqual([]);
  });
});
