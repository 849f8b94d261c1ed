import {describe, expect, test} from 'vitest';
import {numberedId} from '../../ports/graph-store-fixtures.ts';
import {findNode, requireNode} from './find-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import type {NodeReference} from './node-input.ts';
import {openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const device = await addDevice(world, 'r1', site.id);
const eth0 = await add(world, 'InfraInterface', {name: 'eth0'}, {device: {id: device.id}});
const permission = await add(world, 'CoreGlobalPermission', {action: 'merge_branch', decision: 2});

const find = async (kind: string, reference: NodeReference) =>
  (await findNode(await world.now(), world.schema, kind, reference))?.id;

describe('an object is found', () => {
  test('by id in any case, as its kind and as its generics', async () => {
    for (const kind of ['InfraSite', 'InfraLocation', 'CoreNode']) {
      expect(await find(kind, {id: site.id.toUpperCase()})).toBe(site.id);
    }
  });

  test('by human-friendly id, through peers, and as its generic', async () => {
    expect(await find('InfraDevice', {hfid: ['r1']})).toBe(device.id);
    expect(await find('InfraInterface', {hfid: ['r1', 'eth0']})).toBe(eth0.id);
    expect(await find('InfraEndpoint', {hfid: ['r1', 'eth0']})).toBe(eth0.id);
  });

  test('by parts that are no texts', async () => {
    expect(await find('CoreGlobalPermission', {hfid: ['merge_branch', '2']})).toBe(permission.id);
    expect(await find('CoreGlobalPermission', {hfid: ['merge_branch', 'two']})).toBeUndefined();
  });

  test('by its default filter, or by a human-friendly id of one part, in place of the id', async () => {
    expect(await find('InfraSite', {id: 'atl1'})).toBe(site.id);
    expect(await find('InfraDevice', {id: 'r1'})).toBe(device.id);
  });

  test('by its human-friendly id first when a text stands in place of the id', async () => {
    expect(await find('InfraSite', {id: 'nothing', hfid: ['atl1']})).toBe(site.id);
  });
});

describe('an object is not found', () => {
  test('under another kind', async () => {
    expect(await find('InfraDevice', {id: site.id})).toBeUndefined();
    expect(await find('InfraConsole', {hfid: ['r1', 'eth0']})).toBeUndefined();
  });

  test('by too few or too many parts', async () => {
    for (const hfid of [[], ['eth0'], ['r1', 'eth0', 'x']]) {
      expect(await find('InfraInterface', {hfid})).toBeUndefined();
    }
  });

  test('by a value that several have', async () => {
    for (const name of ['twin', 'twin']) await add(world, 'InfraAudit', {name}, {device: {id: device.id}});
    expect(await find('InfraAudit', {id: 'twin'})).toBeUndefined();
  });

  test('and whoever must have it is told', async () => {
    const id = numberedId(0xfffff4);
    const error = await refusal(requireNode(await world.now(), world.schema, 'InfraSite', {id}));
    expect(error.code).toBe('NODE_NOT_FOUND');
    expect(error.message).toBe(`Unable to find the node ${id} / InfraSite in the database.`);
  });

  test('without a reference, or of an unknown kind', async () => {
    expect((await refusal(find('InfraSite', {}))).code).toBe('VALIDATION_ERROR');
    expect((await refusal(find('InfraNothing', {id: 'x'}))).code).toBe('SCHEMA_NOT_FOUND');
  });
});
