import {describe, expect, test} from 'vitest';
import {createNode} from './create-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addSite, change} from './network-objects-fixtures.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const tag = await add(world, 'BuiltinTag', {name: 'red'});
const template = await add(
  world,
  'TemplateInfraDevice',
  {template_name: 'edge router', vendor: 'acme', height: 2, role: 'edge'},
  {
    tags: [{id: tag.id}],
    interfaces: [
      {kind: 'TemplateInfraInterface', data: input({template_name: 'uplink', name: 'eth0', mtu: 9000})},
      {kind: 'TemplateInfraConsole', data: input({template_name: 'console', name: 'con0'})},
    ],
  },
);

const fromTemplate = (name: string, values = {}, related = {}) =>
  add(
    world,
    'InfraDevice',
    {name, ...values},
    {site: {id: site.id}, object_template: {id: template.id}, ...related},
  );

describe('an object made from a template', () => {
  test('takes the values that it was not given', async () => {
    const device = await fromTemplate('values', {height: 9});
    expect(device.attribute('vendor')).toMatchObject({value: 'acme', isDefault: false, source: template.id});
    expect(device.attribute('height')).toMatchObject({value: 9, source: null});
    expect(device.attribute('slots')).toMatchObject({value: 0, isDefault: true, source: null});
    expect(await world.peers(device.id, 'object_template')).toEqual([template.id]);
  });

  test('shares the peers of the template, and gets parts of its own', async () => {
    const device = await fromTemplate('parts');
    expect(await world.peers(device.id, 'tags')).toEqual([tag.id]);
    const parts = [];
    for (const id of await world.peers(device.id, 'interfaces')) parts.push(await world.node(id));
    expect(parts.map(part => [part.kind, part.value('name')]).sort()).toEqual([
      ['InfraConsole', 'con0'],
      ['InfraInterface', 'eth0'],
    ]);
    for (const part of parts) {
      expect(await world.peers(part.id, 'device')).toEqual([device.id]);
      const [model] = await world.peers(part.id, 'object_template');
      expect(part.attribute('name')?.source).toBe(model);
      const mtu = part.kind === 'InfraInterface' ? 9000 : 1500;
      expect(part.attribute('mtu')).toMatchObject({value: mtu, isDefault: mtu === 1500});
    }
  });

  test('has only what the caller gave where the caller gave something', async () => {
    const device = await fromTemplate('given', {}, {interfaces: [], tags: []});
    expect(await world.peers(device.id, 'interfaces')).toEqual([]);
    expect(await world.peers(device.id, 'tags')).toEqual([]);
  });

  test('is found its template by name', async () => {
    const device = await world.write(scope =>
      createNode(
        scope,
        'InfraDevice',
        input({name: 'by-name'}, {site: {id: site.id}, object_template: {hfid: ['edge router']}}),
      ),
    );
    expect(device.value('role')).toBe('edge');
  });

  test('no longer names the template as source of a value that was changed', async () => {
    const device = await fromTemplate('changed');
    const changed = await change(world, device, {vendor: 'other'});
    expect(changed.attribute('vendor')).toMatchObject({value: 'other', source: null});
    expect(changed.attribute('role')).toMatchObject({value: 'edge', source: template.id});
  });

  test('stays as it is when the template changes', async () => {
    const device = await fromTemplate('stays');
    await change(world, template, {vendor: 'newer'});
    expect((await world.node(device.id)).value('vendor')).toBe('acme');
    await change(world, template, {vendor: 'acme'});
  });
});

describe('a template is refused', () => {
  test('when it is of another kind or not there', async () => {
    const [other] = await world.peers(template.id, 'interfaces');
    for (const id of [other!, 'no such template']) {
      const error = await refusal(fromTemplate('x', {}, {object_template: {id}}));
      expect(error.code).toBe('NODE_NOT_FOUND');
    }
  });

  test('when it leaves open what is mandatory', async () => {
    const bare = await add(world, 'TemplateInfraDevice', {template_name: 'bare'});
    const error = await refusal(fromTemplate('x', {}, {object_template: {id: bare.id}}));
    expect(error.message).toBe('vendor is mandatory for InfraDevice at vendor');
  });

  test('when its values no longer fit', async () => {
    const error = await refusal(add(world, 'TemplateInfraDevice', {template_name: 'tall', height: 99}));
    expect(error.message).toBe('height must be at most 60, 99 is more at height');
  });
});
