import {describe, expect, test} from 'vitest';
import type {Caller} from '../../src/app/caller.ts';
import type {GlobalAction, Need} from '../../src/domain/access/access.ts';
import {envelope} from './open-server.ts';
import {kind, MAIN, number, openWorld, text} from './schema-world.ts';

const NOTHING = {added: {}, changed: {}, removed: {}};
const DEVICE = {nodes: [kind('Device', {attributes: [text('name', {unique: true})]})]};

describe('POST /api/schema/load', () => {
  test('loads a schema, answers what changed, and says so only once', async () => {
    const world = await openWorld();
    const previous = await world.hash();
    const first = await world.load(DEVICE);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      hash: await world.hash(),
      previous_hash: previous,
      diff: {...NOTHING, added: {InfraDevice: NOTHING}},
      warnings: [],
      schema_updated: true,
    });
    const commits = async () =>
      (await world.store.commits({branch: MAIN, limit: 100, newestFirst: true})).length;
    const before = await commits();
    const again = await world.load(DEVICE);
    expect(again.body).toEqual({
      hash: first.body.hash,
      previous_hash: first.body.hash,
      diff: NOTHING,
      warnings: [],
      schema_updated: false,
    });
    expect(await commits()).toBe(before);
    expect(await world.problems()).toEqual([]);
  });

  test('is one commit, whatever it brings', async () => {
    const world = await openWorld();
    await world.load({nodes: ['One', 'Two', 'Three'].map(name => kind(name, {generate_template: true}))});
    const [last, first] = await world.store.commits({branch: MAIN, limit: 3, newestFirst: true});
    expect([last?.message, first?.message]).toEqual(['Load schema', 'Built-in schema']);
  });

  test('says what changed in each kind', async () => {
    const world = await openWorld();
    await world.load(DEVICE);
    const {body} = await world.load({
      nodes: [
        kind('Device', {label: 'Box', attributes: [text('name'), number('mtu', {default_value: 1500})]}),
      ],
    });
    expect(body.diff).toEqual({
      ...NOTHING,
      changed: {
        InfraDevice: {
          ...NOTHING,
          changed: {
            label: null,
            human_friendly_id: null,
            uniqueness_constraints: null,
            attributes: {
              added: {mtu: null},
              changed: {name: {...NOTHING, changed: {unique: null}}},
              removed: {},
            },
          },
        },
      },
    });
  });

  test('joins its documents before it looks at them', async () => {
    const world = await openWorld();
    const {status, body} = await world.ask('POST', '/api/schema/load', {
      schemas: [
        {version: '1.0', nodes: [kind('Port', {inherit_from: ['InfraEndpoint']})]},
        {version: '1.0', generics: [kind('Endpoint')]},
      ],
    });
    expect([status, Object.keys(body.diff.added).sort()]).toEqual([200, ['InfraEndpoint', 'InfraPort']]);
  });

  test('extends a built-in kind', async () => {
    const world = await openWorld();
    const extensions = {nodes: [{kind: 'CoreGroup', attributes: [text('ticket', {optional: true})]}]};
    expect((await world.load({extensions})).status).toBe(200);
    const {body} = await world.get('/api/schema/CoreStandardGroup');
    expect(body.attributes.map((each: {name: string}) => each.name)).toContain('ticket');
  });

  test('warns of what is deprecated, changed or not', async () => {
    const world = await openWorld();
    const root = {nodes: [kind('Device', {attributes: [text('name')], display_labels: ['name__value']})]};
    const warnings = [
      {type: 'deprecation', kinds: [{kind: 'InfraDevice', field: null}], message: expect.any(String)},
    ];
    expect((await world.load(root)).body.warnings).toEqual(warnings);
    expect((await world.load(root)).body).toMatchObject({warnings, schema_updated: false});
    expect((await world.check(root)).body).toEqual({diff: NOTHING, warnings});
  });

  test('many at once end in one schema with all of them', async () => {
    const world = await openWorld();
    const names = Array.from({length: 12}, (_, index) => `Kind${index}`);
    const answers = await Promise.all(names.map(name => world.load({nodes: [kind(name)]})));
    expect(answers.map(({status}) => status)).toEqual(names.map(() => 200));
    const {nodes} = (await world.get('/api/schema?namespaces=Infra')).body;
    expect(nodes.map((each: {name: string}) => each.name).sort()).toEqual(names.toSorted());
    expect(await world.problems()).toEqual([]);
  });

  test('of an empty request on top of nothing changes nothing', async () => {
    const world = await openWorld();
    expect((await world.load({})).body).toMatchObject({schema_updated: false, diff: NOTHING});
    expect((await world.load({nodes: [kind('Ghost', {state: 'absent'})]})).body.schema_updated).toBe(false);
  });

  test('on an unknown branch is 400, with an unknown parameter 422, at a bad time 400', async () => {
    const world = await openWorld();
    const payload = {schemas: [{version: '1.0', ...DEVICE}]};
    const answer = await world.ask('POST', '/api/schema/load?branch=nowhere', payload);
    expect([answer.status, answer.body]).toEqual([400, envelope(400, 'Branch: nowhere not found.')]);
    const stray = await world.ask('POST', '/api/schema/load?brnch=dev', payload);
    expect([stray.status, stray.body.detail[0].loc]).toEqual([422, ['query', 'brnch']]);
    expect((await world.ask('POST', '/api/schema/load?at=nonsense', payload)).status).toBe(400);
    expect((await world.get('/api/schema/InfraDevice')).status).toBe(404);
    expect((await world.ask('POST', '/api/schema/load?at=-1s', payload)).status).toBe(400);
    expect((await world.ask('POST', '/api/schema/load?at=now&branch=', payload)).status).toBe(200);
  });
});

describe('POST /api/schema/check', () => {
  test('answers 202 with the diff and applies nothing', async () => {
    const world = await openWorld();
    const before = await world.hash();
    const {status, body} = await world.check(DEVICE);
    expect([status, body]).toEqual([202, {diff: {...NOTHING, added: {InfraDevice: NOTHING}}, warnings: []}]);
    expect(await world.hash()).toBe(before);
  });

  test('refuses what a load would refuse, in the same words', async () => {
    const world = await openWorld();
    await world.load({nodes: [kind('Device', {attributes: [text('name')]})]});
    for (const name of ['edge-1', 'edge-1']) await world.create('InfraDevice', {name});
    for (const root of [
      DEVICE,
      {nodes: [kind('Device', {branch: 'local', attributes: [text('name')]})]},
      {nodes: [kind('Device', {relationships: [{name: 'site', peer: 'InfraNowhere'}]})]},
      {nodes: [{name: 'x'}]},
    ]) {
      const [checked, loaded] = [await world.check(root), await world.load(root)];
      expect([checked.status, checked.body]).toEqual([422, loaded.body]);
    }
  });
});

describe('who may', () => {
  const allowing = (...actions: readonly GlobalAction[]): Caller => ({
    account: null,
    access: {allows: (need: Need) => need.is === 'global' && actions.includes(need.action)},
  });

  test('load needs manage_schema, and edit_default_branch on the default branch', async () => {
    const payload = {schemas: [{version: '1.0', ...DEVICE}]};
    const none = await openWorld({caller: allowing('edit_default_branch')});
    const denied = await none.ask('POST', '/api/schema/load', payload);
    expect([denied.status, denied.body]).toEqual([
      403,
      envelope(403, 'You are not allowed to manage the schema'),
    ]);
    const branches = await openWorld({caller: allowing('manage_schema')});
    const branch = await branches.branch('feature');
    expect((await branches.load(DEVICE)).status).toBe(403);
    expect((await branches.load(DEVICE, branch)).status).toBe(200);
    const both = await openWorld({caller: allowing('manage_schema', 'edit_default_branch')});
    expect((await both.load(DEVICE)).status).toBe(200);
  });

  test('check and read need neither', async () => {
    const world = await openWorld({caller: allowing()});
    expect((await world.check(DEVICE)).status).toBe(202);
    expect((await world.get('/api/schema')).status).toBe(200);
  });
});
