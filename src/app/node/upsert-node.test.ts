import {describe, expect, test} from 'vitest';
import {numberedId} from '../../ports/graph-store-fixtures.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import type {NodeInput} from './node-input.ts';
import {upsertNode} from './upsert-node.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const device = await addDevice(world, 'r1', site.id, {serial: 'S1', height: 1});
const upsert = (kind: string, given: NodeInput) => world.write(scope => upsertNode(scope, kind, given));

describe('an upsert changes the object that it finds', () => {
  test('by id', async () => {
    const {node, isNew} = await upsert('InfraDevice', input({height: 2}, {}, {id: device.id}));
    expect([node.id, node.value('height'), isNew]).toEqual([device.id, 2, false]);
  });

  test('by human-friendly id', async () => {
    const {node, isNew} = await upsert('InfraDevice', input({height: 3}, {}, {hfid: ['r1']}));
    expect([node.id, node.value('height'), isNew]).toEqual([device.id, 3, false]);
  });

  test('by the value of the default filter in place of the id', async () => {
    const {node, isNew} = await upsert('InfraSite', input({city: 'Atlanta'}, {}, {id: 'atl1'}));
    expect([node.id, isNew]).toEqual([site.id, false]);
  });

  test('by any unique value of the data', async () => {
    const byName = await upsert('InfraDevice', input({name: 'r1', height: 4}));
    expect([byName.node.id, byName.isNew]).toEqual([device.id, false]);
    const bySerial = await upsert('InfraDevice', input({serial: 'S1', name: 'r1-renamed'}));
    expect([bySerial.node.id, bySerial.node.value('name')]).toEqual([device.id, 'r1-renamed']);
    await upsert('InfraDevice', input({serial: 'S1', name: 'r1'}));
  });

  test('by a key of an attribute and a peer', async () => {
    const made = await add(world, 'InfraInterface', {name: 'eth0'}, {device: {id: device.id}});
    for (const reference of [{id: device.id}, {hfid: ['r1']}]) {
      const {node, isNew} = await upsert(
        'InfraInterface',
        input({name: 'eth0', mtu: 9000}, {device: reference}),
      );
      expect([node.id, isNew, node.value('mtu')]).toEqual([made.id, false, 9000]);
    }
  });

  test('by a key that a default completes', async () => {
    const given = {namespace: 'Infra', name: 'Device'};
    const {node, isNew} = await upsert('CoreObjectPermission', input(given));
    const again = await upsert('CoreObjectPermission', input({...given, action: 'any', description: 'x'}));
    expect([isNew, again.isNew, again.node.id]).toEqual([true, false, node.id]);
    const other = await upsert('CoreObjectPermission', input({...given, action: 'view'}));
    expect(other.isNew).toBe(true);
  });

  test('by a key of choices and numbers', async () => {
    const given = {action: 'merge_branch', decision: 2};
    const {node} = await upsert('CoreGlobalPermission', input(given));
    const again = await upsert('CoreGlobalPermission', input({...given, description: 'again'}));
    expect([again.isNew, again.node.id]).toEqual([false, node.id]);
  });

  test('and leaves no commit when nothing differs', async () => {
    const {commit} = await world.commit(scope =>
      upsertNode(scope, 'InfraDevice', input({name: 'r1', serial: 'S1'}, {site: {id: site.id}})),
    );
    expect(commit).toBeUndefined();
  });
});

describe('an upsert makes the object that it does not find', () => {
  test('with the id given', async () => {
    const id = numberedId(0xa0001);
    const {node, isNew} = await upsert('InfraSite', input({name: 'by-id'}, {}, {id}));
    expect([node.id, isNew]).toEqual([id, true]);
  });

  test('with the data given, its human-friendly id aside', async () => {
    const {node, isNew} = await upsert('InfraSite', input({name: 'by-hfid'}, {}, {hfid: ['by-hfid']}));
    expect([node.value('name'), isNew]).toEqual(['by-hfid', true]);
  });

  test('on another device when the name alone is equal', async () => {
    const other = await addDevice(world, 'r2', site.id);
    const {isNew} = await upsert('InfraInterface', input({name: 'eth0'}, {device: {id: other.id}}));
    expect(isNew).toBe(true);
  });
});

describe('an upsert is refused', () => {
  test('when it finds nothing and cannot make it', async () => {
    const error = await refusal(upsert('InfraDevice', input({height: 1})));
    expect(error.message).toContain('name is mandatory for InfraDevice at name');
  });

  test('when a text in place of the id means nothing', async () => {
    expect((await refusal(upsert('InfraSite', input({name: 'x'}, {}, {id: 'nowhere'})))).code).toBe(
      'NODE_NOT_FOUND',
    );
  });

  test('when the id belongs to an object of another kind', async () => {
    const error = await refusal(upsert('InfraSite', input({name: 'x'}, {}, {id: device.id})));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
  });

  test('when two keys mean two objects', async () => {
    await addDevice(world, 'r3', site.id, {serial: 'S3'});
    const error = await refusal(upsert('InfraDevice', input({name: 'r3', serial: 'S1'})));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
  });

  test('for a generic', async () => {
    expect((await refusal(upsert('InfraEndpoint', input({name: 'x'})))).code).toBe('VALIDATION_ERROR');
  });
});
