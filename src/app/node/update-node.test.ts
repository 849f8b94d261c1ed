import {describe, expect, test} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Caller} from '../caller.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite, change} from './network-objects-fixtures.ts';
import type {AttributeInput} from './node-input.ts';
import {updateNode} from './update-node.ts';
import {except, input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const {write} = world;
const site = await addSite(world, 'atl1');

const setAttribute = (id: string, name: string, attribute: AttributeInput, caller?: Caller) =>
  write(
    scope => updateNode(scope, 'InfraDevice', {id, attributes: {[name]: attribute}, relationships: {}}),
    caller,
  );

describe('an update', () => {
  test('changes what it names and leaves the rest', async () => {
    const device = await addDevice(world, 'partial', site.id, {height: 2});
    const changed = await change(world, device, {role: 'edge'});
    expect(changed.value('role')).toBe('edge');
    expect(changed.value('height')).toBe(2);
    expect(changed.attribute('role')?.isDefault).toBe(false);
  });

  test('that says what is so already leaves no commit', async () => {
    const device = await addDevice(world, 'same', site.id, {height: 2});
    const {commit} = await world.commit(scope =>
      updateNode(
        scope,
        'InfraDevice',
        input({height: 2, slots: 0, name: 'same'}, {site: {id: site.id}, tags: []}, {id: device.id}),
      ),
    );
    expect(commit).toBeUndefined();
    expect((await world.node(device.id)).attribute('slots')?.isDefault).toBe(true);
  });

  test('turns a default into a choice when it is told to', async () => {
    const device = await addDevice(world, 'pinned', site.id);
    const pinned = await setAttribute(device.id, 'slots', {value: 0, isDefault: false});
    expect(pinned.attribute('slots')).toMatchObject({value: 0, isDefault: false});
  });

  test('resets to the default', async () => {
    const device = await addDevice(world, 'reset', site.id, {slots: 4, height: 3});
    const reset = await setAttribute(device.id, 'slots', {isDefault: true});
    expect(reset.attribute('slots')).toMatchObject({value: 0, isDefault: true});
    const none = await setAttribute(device.id, 'height', {isDefault: true});
    expect(none.attribute('height')).toMatchObject({value: null, isDefault: true});
    const error = await refusal(setAttribute(device.id, 'vendor', {isDefault: true}));
    expect(error.message).toBe('vendor is mandatory for InfraDevice at vendor');
  });

  test('changes flags without touching the value', async () => {
    const device = await addDevice(world, 'flagged', site.id, {height: 3});
    const hidden = await setAttribute(device.id, 'height', {isVisible: false});
    expect(hidden.attribute('height')).toMatchObject({value: 3, isVisible: false, isDefault: false});
  });

  test('finds its object by human-friendly id, by default filter, and through a generic', async () => {
    const device = await addDevice(world, 'found', site.id);
    const byHfid = await write(scope =>
      updateNode(scope, 'InfraDevice', input({height: 1}, {}, {hfid: ['found']})),
    );
    expect(byHfid.id).toBe(device.id);
    const byFilter = await write(scope =>
      updateNode(scope, 'InfraSite', input({city: 'A'}, {}, {id: 'atl1'})),
    );
    expect(byFilter.id).toBe(site.id);
    const generic = await write(scope =>
      updateNode(scope, 'InfraLocation', input({city: 'B'}, {}, {id: site.id})),
    );
    expect(generic.value('city')).toBe('B');
  });

  test('is refused without a reference, and for an object that is not there or of another kind', async () => {
    const none = await refusal(write(scope => updateNode(scope, 'InfraDevice', input({height: 1}))));
    expect(none.message).toBe('either id or hfid must be provided');
    for (const [kind, rest] of [
      ['InfraDevice', {id: site.id}],
      ['InfraDevice', {id: 'nothing'}],
      ['InfraDevice', {hfid: ['nothing']}],
    ] as const) {
      const error = await refusal(write(scope => updateNode(scope, kind, input({}, {}, rest))));
      expect(error.code).toBe('NODE_NOT_FOUND');
      expect(error.message).toMatch(/^Unable to find the node .* \/ InfraDevice in the database\.$/);
    }
  });

  test('is refused for wrong values, all at once', async () => {
    const device = await addDevice(world, 'wrong', site.id);
    const error = await refusal(change(world, device, {height: 0, vendor: null, fqdn: 'x', other: 1}));
    expect(error.message).toBe(
      [
        'fqdn is read-only on InfraDevice at fqdn',
        'other is not a field of InfraDevice at other',
        'height must be at least 1, 0 is less at height',
        'vendor is mandatory for InfraDevice at vendor',
      ].join(', '),
    );
  });
});

describe('peers of an object', () => {
  test('to one: another replaces the first, null clears', async () => {
    const [a, b] = [await addSite(world, 'one-a'), await addSite(world, 'one-b')];
    const room = await add(world, 'InfraRoom', {name: 'one-room'}, {parent: {id: a.id}});
    await change(world, room, {}, {parent: {id: b.id}});
    expect(await world.peers(room.id, 'parent')).toEqual([b.id]);
    expect(await world.peers(a.id, 'children')).toEqual([]);
    await change(world, room, {}, {parent: null});
    expect(await world.peers(room.id, 'parent')).toEqual([]);
  });

  test('to many: a list replaces the whole set, null and an empty list clear it', async () => {
    const tags = [];
    for (const name of ['m1', 'm2', 'm3']) tags.push((await add(world, 'BuiltinTag', {name})).id);
    const [first, second, third] = tags as [NodeId, NodeId, NodeId];
    const device = await addDevice(world, 'many', site.id, {}, {tags: [{id: first}, {id: second}]});
    await change(world, device, {}, {tags: [{id: second}, {id: third}]});
    expect(new Set(await world.peers(device.id, 'tags'))).toEqual(new Set([second, third]));
    await change(world, device, {}, {tags: null});
    expect(await world.peers(device.id, 'tags')).toEqual([]);
  });

  test('that are listed again get the properties given with them', async () => {
    const tag = await add(world, 'BuiltinTag', {name: 'again'});
    const device = await addDevice(world, 'again', site.id, {}, {tags: [{id: tag.id}]});
    await change(world, device, {}, {tags: [{id: tag.id, isVisible: false}]});
    const [edge] = await (await world.now()).neighbours(device.id, 'tags');
    expect(edge?.edge.properties.isVisible).toBe(false);
  });

  test('that are mandatory cannot be cleared', async () => {
    const device = await addDevice(world, 'needs-site', site.id);
    const error = await refusal(change(world, device, {}, {site: null}));
    expect(error.message).toBe('site is mandatory for InfraDevice at site');
  });

  test('cannot be taken from an object that needs them', async () => {
    const devices = [await addDevice(world, 'p1', site.id), await addDevice(world, 'p2', site.id)];
    const pair = await add(world, 'InfraPair', {name: 'kept'}, {devices: devices.map(({id}) => ({id}))});
    const error = await refusal(change(world, devices[0]!, {}, {pair: null}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toBe(`Node ${pair.id} has 1 peers for device__pair, minimum of 2 required`);
    const third = await addDevice(world, 'p3', site.id);
    const many = await refusal(change(world, third, {}, {pair: {id: pair.id}}));
    expect(many.message).toBe(`Node ${pair.id} has 3 peers for device__pair, maximum of 2 allowed`);
  });

  test('may be swapped in one list', async () => {
    const ids = [];
    for (const name of ['s1', 's2', 's3']) ids.push((await addDevice(world, name, site.id)).id);
    const [a, b, c] = ids as [NodeId, NodeId, NodeId];
    const pair = await add(world, 'InfraPair', {name: 'swap'}, {devices: [{id: a}, {id: b}]});
    await change(world, pair, {}, {devices: [{id: b}, {id: c}]});
    expect(new Set(await world.peers(pair.id, 'devices'))).toEqual(new Set([b, c]));
  });

  test('may be made by an update, as parts of the object', async () => {
    const device = await addDevice(world, 'grows', site.id);
    await change(world, device, {}, {interfaces: [{kind: 'InfraInterface', data: input({name: 'eth0'})}]});
    const [part] = await world.peers(device.id, 'interfaces');
    expect((await world.node(part!)).value('name')).toBe('eth0');
  });

  test('cannot end up above themselves', async () => {
    const top = await add(world, 'InfraRoom', {name: 'u-top'});
    const bottom = await add(world, 'InfraRoom', {name: 'u-bottom'}, {parent: {id: top.id}});
    for (const parent of [bottom.id, top.id]) {
      const error = await refusal(change(world, top, {}, {parent: {id: parent}}));
      expect(error.message).toContain('would stand above itself at parent');
    }
    const children = await refusal(change(world, bottom, {}, {children: [{id: top.id}]}));
    expect(children.message).toContain('would stand above itself at parent');
  });

  test('keep having the same parent when one of them moves', async () => {
    const [one, two] = [await addDevice(world, 'mv1', site.id), await addDevice(world, 'mv2', site.id)];
    const member = await add(world, 'InfraInterface', {name: 'eth0'}, {device: {id: one.id}});
    const lag = await add(
      world,
      'InfraInterface',
      {name: 'lag0'},
      {device: {id: one.id}, members: [{id: member.id}]},
    );
    for (const moved of [member, lag]) {
      const error = await refusal(change(world, moved, {}, {device: {id: two.id}}));
      expect(error.message).toBe(`${member.id} does not have the same device as ${lag.id} at members`);
    }
  });

  test('keep having the same relatives when one of them changes those', async () => {
    const far = await addSite(world, 'rel-far');
    const devices = [await addDevice(world, 'r1', site.id), await addDevice(world, 'r2', site.id)];
    await add(world, 'InfraPair', {name: 'related'}, {devices: devices.map(({id}) => ({id}))});
    const error = await refusal(change(world, devices[0]!, {}, {site: {id: far.id}}));
    expect(error.message).toContain('do not have the same site at devices');
  });
});

describe('what is protected', () => {
  const owner = '00000000-0000-7000-8000-0000000f0001';
  const access = except(need => need.is === 'global' && need.action === 'super_admin');
  const account = (id: string): Caller => ({account: id as NodeId, access});

  test('changes only by its owner and by administrators', async () => {
    await add(world, 'CoreAccount', {name: 'keeper', password: '$test$hash'});
    const keeper = await write(scope => updateNode(scope, 'CoreAccount', input({}, {}, {id: 'keeper'})));
    const device = await addDevice(world, 'guarded', site.id, {height: 1});
    await setAttribute(device.id, 'height', {isProtected: true, owner: keeper.id});
    const stranger = account(owner);
    for (const attribute of [{value: 2}, {isProtected: false}, {isDefault: true}, {owner: null}]) {
      const error = await refusal(setAttribute(device.id, 'height', attribute, stranger));
      expect(error.code).toBe('PERMISSION_DENIED');
    }
    await setAttribute(device.id, 'height', {value: 1}, stranger);
    await setAttribute(device.id, 'slots', {value: 5}, stranger);
    const changed = await setAttribute(device.id, 'height', {value: 2}, account(keeper.id));
    expect(changed.value('height')).toBe(2);
    expect((await setAttribute(device.id, 'height', {value: 3})).value('height')).toBe(3);
  });

  test('goes for edges too, from either end', async () => {
    const tag = await add(world, 'BuiltinTag', {name: 'guarded'});
    const protectedTag = {id: tag.id, isProtected: true};
    const device = await addDevice(world, 'guarded-edge', site.id, {}, {tags: [protectedTag]});
    const update = (tags: readonly {id: string; isProtected?: boolean}[], caller: Caller) =>
      write(scope => updateNode(scope, 'InfraDevice', input({}, {tags}, {id: device.id})), caller);
    const stranger = account(owner);
    expect((await refusal(update([], stranger))).code).toBe('PERMISSION_DENIED');
    expect((await refusal(update([{id: tag.id, isProtected: false}], stranger))).code).toBe(
      'PERMISSION_DENIED',
    );
    await update([{id: tag.id}], stranger);
    await update([], {account: null, access: except(() => false)});
    expect(await world.peers(device.id, 'tags')).toEqual([]);
  });
});
