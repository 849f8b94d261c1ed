import {describe, expect, test} from 'vitest';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {createNode} from './create-node.ts';
import {deleteNode} from './delete-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite, change} from './network-objects-fixtures.ts';
import {addPeers, removePeers} from './relate.ts';
import {updateNode} from './update-node.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const things = await openWorld({
  nodes: [
    {
      namespace: 'Test',
      name: 'Thing',
      attributes: [
        {name: 'name', kind: 'Text'},
        {name: 'color', kind: 'Text', optional: true},
        {
          name: 'title',
          kind: 'Text',
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ color__value }} {{ name__value }}'},
        },
      ],
    },
  ],
});
let made = 0;

function addProfile(values: Parameters<typeof add>[2], kind = 'ProfileInfraDevice'): Promise<NodeRecord> {
  made += 1;
  return add(world, kind, {profile_name: `profile-${made}`, ...values});
}

const deviceWith = (name: string, ...profiles: readonly NodeRecord[]) =>
  addDevice(world, name, site.id, {}, {profiles: profiles.map(({id}) => ({id}))});

describe('a value from a profile', () => {
  test('reaches objects made with the profile, as nobody’s choice', async () => {
    const profile = await addProfile({height: 7});
    const device = await deviceWith('made-with', profile);
    expect(device.attribute('height')).toMatchObject({
      value: 7,
      isFromProfile: true,
      isDefault: true,
      source: profile.id,
    });
    expect(device.attribute('slots')).toMatchObject({value: 0, isFromProfile: false, source: null});
  });

  test('gives way to a value of the object’s own', async () => {
    const profile = await addProfile({height: 7, slots: 3});
    const related = {site: {id: site.id}, profiles: [{id: profile.id}]};
    const device = await add(world, 'InfraDevice', {name: 'own', vendor: 'v', height: 1}, related);
    expect(device.attribute('height')).toMatchObject({value: 1, isFromProfile: false, isDefault: false});
    const changed = await change(world, device, {slots: 9});
    expect(changed.attribute('slots')).toMatchObject({value: 9, isFromProfile: false, source: null});
  });

  test('returns when the object’s own value is reset', async () => {
    const profile = await addProfile({height: 7});
    const device = await deviceWith('resets', profile);
    await change(world, device, {height: 2});
    const reset = await world.write(scope =>
      updateNode(scope, 'InfraDevice', {
        id: device.id,
        attributes: {height: {isDefault: true}},
        relationships: {},
      }),
    );
    expect(reset.attribute('height')).toMatchObject({value: 7, isFromProfile: true, source: profile.id});
  });

  test('is taken from the lowest priority that has one, and of equal ones from the lowest id', async () => {
    const low = await addProfile({profile_priority: 10, height: 1});
    const high = await addProfile({profile_priority: 20, height: 2, slots: 2});
    const twin = await addProfile({profile_priority: 20, slots: 5});
    const device = await deviceWith('priorities', twin, high, low);
    expect(device.attribute('height')).toMatchObject({value: 1, source: low.id});
    expect(device.attribute('slots')).toMatchObject({value: 2, source: high.id});
  });

  test('comes and goes with the profile, from either end', async () => {
    const profile = await addProfile({height: 4});
    const device = await deviceWith('comes-and-goes');
    const height = async () => (await world.node(device.id)).value('height');
    await world.write(scope =>
      addPeers(scope, {id: profile.id, relationship: 'related_nodes', peers: [{id: device.id}]}),
    );
    expect(await height()).toBe(4);
    await world.write(scope =>
      removePeers(scope, {id: device.id, relationship: 'profiles', peers: [{id: profile.id}]}),
    );
    expect(await height()).toBe(null);
    await change(world, device, {}, {profiles: [{id: profile.id}]});
    expect(await height()).toBe(4);
    await world.write(scope => deleteNode(scope, 'CoreProfile', {id: profile.id}));
    expect((await world.node(device.id)).attribute('height')).toMatchObject({
      value: null,
      isFromProfile: false,
      source: null,
    });
  });

  test('follows the profile in the same commit', async () => {
    const profile = await addProfile({height: 4, profile_priority: 5});
    const other = await addProfile({height: 9, profile_priority: 6});
    const devices = [await deviceWith('follows-1', profile, other), await deviceWith('follows-2', profile)];
    const {commit} = await world.commit(scope =>
      updateNode(scope, 'ProfileInfraDevice', input({height: 5}, {}, {id: profile.id})),
    );
    for (const {id} of devices) {
      expect((await world.node(id)).attribute('height')).toMatchObject({value: 5, updatedAt: commit});
    }
    await change(world, profile, {profile_priority: 7});
    expect((await world.node(devices[0]!.id)).value('height')).toBe(9);
    await change(world, profile, {height: null, profile_priority: 1});
    expect((await world.node(devices[0]!.id)).value('height')).toBe(9);
    expect((await world.node(devices[1]!.id)).value('height')).toBe(null);
  });

  test('that does not change an object leaves no version of it', async () => {
    const [first, second] = [
      await addProfile({height: 4, profile_priority: 1}),
      await addProfile({height: 4}),
    ];
    const device = await deviceWith('versions', first, second);
    const before = await world.node(device.id);
    await change(world, second, {height: 8});
    expect((await world.node(device.id)).version).toBe(before.version);
  });

  test('may be what a mandatory attribute needs, and then cannot go', async () => {
    const profile = await addProfile({vendor: 'profiled'});
    const device = await add(
      world,
      'InfraDevice',
      {name: 'mandatory'},
      {site: {id: site.id}, profiles: [{id: profile.id}]},
    );
    expect(device.attribute('vendor')).toMatchObject({value: 'profiled', isFromProfile: true});
    for (const refused of [
      change(world, device, {}, {profiles: []}),
      change(world, profile, {vendor: null}),
      world.write(scope => deleteNode(scope, 'ProfileInfraDevice', {id: profile.id})),
    ]) {
      expect((await refusal(refused)).message).toBe('vendor is mandatory for InfraDevice at vendor');
    }
  });

  test('feeds computed attributes', async () => {
    const profile = await add(things, 'ProfileTestThing', {profile_name: 'red one', color: 'red'});
    const thing = await add(things, 'TestThing', {name: 'ball'}, {profiles: [{id: profile.id}]});
    expect(thing.value('title')).toBe('red ball');
    await change(things, profile, {color: 'blue'});
    expect((await things.node(thing.id)).value('title')).toBe('blue ball');
  });

  test('of a generic’s profile reaches all kinds of the generic', async () => {
    const profile = await addProfile({mtu: 9000}, 'ProfileInfraEndpoint');
    const device = await deviceWith('generic-profile');
    for (const kind of ['InfraInterface', 'InfraConsole']) {
      const related = {device: {id: device.id}, profiles: [{id: profile.id}]};
      const part = await add(world, kind, {name: kind}, related);
      expect(part.attribute('mtu')).toMatchObject({value: 9000, isFromProfile: true});
    }
  });

  test('reaches objects made inside the profile’s own input', async () => {
    const profile = await world.write(scope =>
      createNode(
        scope,
        'ProfileInfraDevice',
        input(
          {profile_name: 'with-objects', vendor: 'inside', height: 3},
          {related_nodes: [{data: input({name: 'inside'}, {site: {id: site.id}})}]},
        ),
      ),
    );
    const [user] = await world.peers(profile.id, 'related_nodes');
    const device = await world.node(user!);
    expect([device.value('vendor'), device.value('height')]).toEqual(['inside', 3]);
  });
});

describe('a profile is refused', () => {
  test('for objects of another kind, from either end', async () => {
    const profile = await addProfile({}, 'ProfileInfraSite');
    const device = await deviceWith('foreign');
    const own = await refusal(change(world, device, {}, {profiles: [{id: profile.id}]}));
    expect(own.message).toBe(
      'related_nodes of ProfileInfraSite takes objects of InfraSite, not of InfraDevice at profiles',
    );
    const other = await refusal(change(world, profile, {}, {related_nodes: [{id: device.id}]}));
    expect(other.message).toBe(
      'related_nodes takes objects of InfraSite, not of InfraDevice at related_nodes',
    );
  });

  test('with a value that the attribute does not take', async () => {
    expect((await refusal(addProfile({height: 100}))).message).toBe(
      'height must be at most 60, 100 is more at height',
    );
    expect((await refusal(addProfile({name: 'unique values are not profiled'}))).code).toBe(
      'VALIDATION_ERROR',
    );
  });
});
