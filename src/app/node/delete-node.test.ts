import {describe, expect, test} from 'vitest';
import {deleteNode} from './delete-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import type {NodeReference} from './node-input.ts';
import {openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const remove = (kind: string, reference: NodeReference) =>
  world.write(scope => deleteNode(scope, kind, reference));

describe('a delete', () => {
  test('takes the parts of the object along', async () => {
    const device = await addDevice(world, 'with-parts', site.id);
    const parts = [];
    for (const name of ['eth0', 'eth1']) {
      parts.push(await add(world, 'InfraInterface', {name}, {device: {id: device.id}}));
    }
    const gone = await remove('InfraDevice', {id: device.id});
    expect(gone[0]).toBe(device.id);
    expect(new Set(gone)).toEqual(new Set([device.id, ...parts.map(({id}) => id)]));
    const now = await world.now();
    for (const id of gone) expect(await now.node(id)).toBeUndefined();
    expect(await world.peers(site.id, 'devices')).toEqual([]);
  });

  test('ends optional edges of those who stay', async () => {
    const tag = await add(world, 'BuiltinTag', {name: 'red'});
    const device = await addDevice(world, 'tagged', site.id, {}, {tags: [{id: tag.id}]});
    await remove('BuiltinTag', {hfid: ['red']});
    expect(await world.peers(device.id, 'tags')).toEqual([]);
  });

  test('finds its object through a generic and by default filter', async () => {
    const other = await addSite(world, 'gone1');
    expect(await remove('InfraLocation', {id: 'gone1'})).toEqual([other.id]);
  });

  test('takes the records of the service about an object along', async () => {
    const account = await add(world, 'CoreAccount', {name: 'leaver', password: '$test$hash'});
    const token = await add(world, 'InternalAccountToken', {token: 't1'}, {account: {id: account.id}});
    const session = await add(
      world,
      'InternalRefreshToken',
      {expiration: '2030-01-01T00:00:00Z'},
      {account: {id: account.id}},
    );
    const gone = await remove('CoreAccount', {id: account.id});
    expect(new Set(gone)).toEqual(new Set([account.id, token.id, session.id]));
  });
});

describe('a delete is refused', () => {
  test('while an object that stays needs the one that goes', async () => {
    const busy = await addSite(world, 'busy');
    const device = await addDevice(world, 'stays', busy.id);
    const error = await refusal(remove('InfraSite', {id: busy.id}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toBe(
      `Cannot delete InfraSite ${busy.id}: it is linked to mandatory relationships: InfraDevice.site of ${device.id} needs ${busy.id}`,
    );
    expect(error.facts.objects).toEqual([{field: 'InfraDevice.site', id: device.id, needs: busy.id}]);
    expect((await world.node(busy.id)).id).toBe(busy.id);
  });

  test('while one needs a part that would go along, even one that the part knows nothing of', async () => {
    const device = await addDevice(world, 'audited', site.id);
    const audit = await add(world, 'InfraAudit', {name: 'a'}, {device: {id: device.id}});
    const badge = await add(world, 'InfraBadge', {name: 'b'}, {audit: {id: audit.id}});
    expect((await refusal(remove('InfraDevice', {id: device.id}))).message).toContain('InfraAudit.device');
    expect((await refusal(remove('InfraAudit', {id: audit.id}))).message).toContain(
      `InfraBadge.audit of ${badge.id} needs ${audit.id}`,
    );
    await remove('InfraBadge', {id: badge.id});
    await remove('InfraAudit', {id: audit.id});
    await remove('InfraDevice', {id: device.id});
  });

  test('when too few would be left to one that needs several', async () => {
    const devices = [await addDevice(world, 'q1', site.id), await addDevice(world, 'q2', site.id)];
    await add(world, 'InfraPair', {name: 'q'}, {devices: devices.map(({id}) => ({id}))});
    const error = await refusal(remove('InfraDevice', {id: devices[0]!.id}));
    expect(error.message).toContain('InfraPair.devices');
  });

  test('with the first twenty objects in the way and their number', async () => {
    const crowded = await addSite(world, 'crowded');
    for (let number = 0; number < 22; number += 1) await addDevice(world, `crowd${number}`, crowded.id);
    const error = await refusal(remove('InfraSite', {id: crowded.id}));
    expect(error.facts.count).toBe(22);
    expect(error.facts.objects).toHaveLength(20);
    expect(error.message).toContain(', and 2 more');
  });

  test('the second time', async () => {
    const once = await addSite(world, 'once');
    await remove('InfraSite', {id: once.id});
    expect((await refusal(remove('InfraSite', {id: once.id}))).code).toBe('NODE_NOT_FOUND');
  });

  test('for an object of another kind, and without a reference', async () => {
    expect((await refusal(remove('BuiltinTag', {id: site.id}))).code).toBe('NODE_NOT_FOUND');
    expect((await refusal(remove('BuiltinTag', {}))).code).toBe('VALIDATION_ERROR');
  });
});
