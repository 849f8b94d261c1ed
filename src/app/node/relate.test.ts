import {describe, expect, test} from 'vitest';
import {numberedId} from '../../ports/graph-store-fixtures.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import type {RelatedInput} from './node-input.ts';
import {addPeers, removePeers} from './relate.ts';
import {openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const tags: string[] = [];
for (const name of ['a', 'b', 'c', 'd']) tags.push((await add(world, 'BuiltinTag', {name})).id);
const [a = '', b = '', c = '', d = ''] = tags;

const join = (id: string, relationship: string, ...peers: readonly RelatedInput[]) =>
  world.commit(scope => addPeers(scope, {id, relationship, peers}));
const leave = (id: string, relationship: string, ...peers: readonly RelatedInput[]) =>
  world.commit(scope => removePeers(scope, {id, relationship, peers}));

describe('adding and removing peers', () => {
  test('adds to those that are there, and takes only those named', async () => {
    const device = await addDevice(world, 'adds', site.id, {}, {tags: [{id: a}]});
    await join(device.id, 'tags', {id: b}, {hfid: ['c']});
    expect(new Set(await world.peers(device.id, 'tags'))).toEqual(new Set([a, b, c]));
    await leave(device.id, 'tags', {id: a}, {id: 'b'});
    expect(await world.peers(device.id, 'tags')).toEqual([c]);
  });

  test('a peer that is there already, or not there, is no change', async () => {
    const device = await addDevice(world, 'noop', site.id, {}, {tags: [{id: a}]});
    expect((await join(device.id, 'tags', {id: a})).commit).toBeUndefined();
    expect((await leave(device.id, 'tags', {id: b})).commit).toBeUndefined();
  });

  test('joins and leaves groups from either end', async () => {
    const group = await add(world, 'CoreStandardGroup', {name: 'g'});
    const device = await addDevice(world, 'member', site.id);
    await join(group.id, 'members', {id: device.id});
    expect(await world.peers(device.id, 'member_of_groups')).toEqual([group.id]);
    await leave(device.id, 'member_of_groups', {id: group.id});
    expect(await world.peers(group.id, 'members')).toEqual([]);
  });
});

describe('peers are refused', () => {
  test('when they would be too many, or too few', async () => {
    const device = await addDevice(world, 'full', site.id, {}, {tags: [{id: a}, {id: b}, {id: c}]});
    const many = await refusal(join(device.id, 'tags', {id: d}));
    expect([many.code, many.message]).toEqual([
      'CONSTRAINT_VIOLATION',
      'Too many relationships, max 3 at tags',
    ]);
    const devices = [await addDevice(world, 'f1', site.id), await addDevice(world, 'f2', site.id)];
    const pair = await add(world, 'InfraPair', {name: 'f'}, {devices: devices.map(({id}) => ({id}))});
    const few = await refusal(leave(pair.id, 'devices', {id: devices[0]!.id}));
    expect(few.message).toBe('Too few relationships, min 2 at devices');
  });

  test('when they belong to another object', async () => {
    const other = await addSite(world, 'other');
    const device = await addDevice(world, 'taken', site.id);
    const error = await refusal(join(other.id, 'devices', {id: device.id}));
    expect(error.message).toBe(`Node ${device.id} has 2 peers for device__site, maximum of 1 allowed`);
  });

  test('when they cannot do without the object', async () => {
    const device = await addDevice(world, 'needs', site.id);
    const error = await refusal(leave(site.id, 'devices', {id: device.id}));
    expect(error.message).toBe(`Node ${device.id} has 0 peers for device__site, minimum of 1 required`);
  });

  test('when they are of the wrong kind or not there', async () => {
    const device = await addDevice(world, 'wrong', site.id);
    expect((await refusal(join(device.id, 'tags', {id: site.id}))).code).toBe('VALIDATION_ERROR');
    expect((await refusal(join(device.id, 'tags', {id: numberedId(0xfffff2)}))).code).toBe('NODE_NOT_FOUND');
  });

  test('when the relationship is to one, read-only or none', async () => {
    const device = await addDevice(world, 'names', site.id);
    for (const relationship of ['site', 'audits', 'name', 'nothing']) {
      expect((await refusal(join(device.id, relationship, {id: site.id}))).code).toBe('VALIDATION_ERROR');
    }
  });

  test('when the object is not there, or its id is none', async () => {
    expect((await refusal(join(numberedId(0xfffff3), 'tags', {id: a}))).code).toBe('NODE_NOT_FOUND');
    expect((await refusal(join('r1', 'tags', {id: a}))).code).toBe('VALIDATION_ERROR');
  });
});
