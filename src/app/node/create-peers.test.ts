import {describe, expect, test} from 'vitest';
import {numberedId} from '../../ports/graph-store-fixtures.ts';
import {createNode} from './create-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');

describe('the peers of a new object', () => {
  test('are found by id, by the value of the default filter, and by human-friendly id', async () => {
    for (const [name, reference] of [
      ['by-id', {id: site.id.toUpperCase()}],
      ['by-filter', {id: 'atl1'}],
      ['by-hfid', {hfid: ['atl1']}],
    ] as const) {
      const device = await add(world, 'InfraDevice', {name, vendor: 'acme'}, {site: reference});
      expect(await world.peers(device.id, 'site')).toEqual([site.id]);
    }
  });

  test('of a generic are found by human-friendly id, with or without their kind', async () => {
    const device = await addDevice(world, 'lagged', site.id);
    const [lag, member] = [
      await add(world, 'InfraInterface', {name: 'lag0'}, {device: {id: device.id}}),
      await add(
        world,
        'InfraInterface',
        {name: 'eth0'},
        {device: {hfid: ['lagged']}, lag: {hfid: ['lagged', 'lag0']}},
      ),
    ];
    expect(await world.peers(lag.id, 'members')).toEqual([member.id]);
  });

  test('that do not exist are not found', async () => {
    for (const reference of [
      {id: numberedId(0xfffff1)},
      {id: 'nowhere'},
      {hfid: ['nowhere']},
      {hfid: ['a', 'b']},
    ]) {
      const error = await refusal(add(world, 'InfraDevice', {name: 'x', vendor: 'v'}, {site: reference}));
      expect(error.code).toBe('NODE_NOT_FOUND');
    }
  });

  test('of another kind are refused', async () => {
    const tag = await add(world, 'BuiltinTag', {name: 'red'});
    const error = await refusal(addDevice(world, 'x', tag.id));
    expect(error.message).toBe('site takes objects of InfraSite, not of BuiltinTag at site');
  });

  test('need a reference, and only one', async () => {
    const none = await refusal(add(world, 'InfraDevice', {name: 'x', vendor: 'v'}, {site: {}}));
    expect(none.message).toBe('A related object needs an id, an hfid or data at site');
    const both = await refusal(
      add(world, 'InfraDevice', {name: 'x', vendor: 'v'}, {site: {id: site.id, data: input({name: 'y'})}}),
    );
    expect(both.message).toBe('A related object is given either by id, by hfid or by data at site');
  });

  test('are one for a relationship to one', async () => {
    const other = await addSite(world, 'atl2');
    const error = await refusal(
      add(world, 'InfraDevice', {name: 'x', vendor: 'v'}, {site: [{id: site.id}, {id: other.id}]}),
    );
    expect(error.message).toBe('Too many relationships, max 1 at site');
  });

  test('are no more than the relationship allows, and one named twice counts once', async () => {
    const tags = [];
    for (const name of ['a', 'b', 'c', 'd']) tags.push(await add(world, 'BuiltinTag', {name}));
    const ids = tags.map(({id}) => ({id}));
    const three = await addDevice(world, 'tagged', site.id, {}, {tags: [...ids.slice(0, 3), ids[0] ?? {}]});
    expect(await world.peers(three.id, 'tags')).toHaveLength(3);
    const error = await refusal(addDevice(world, 'x', site.id, {}, {tags: ids}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toBe('Too many relationships, max 3 at tags');
  });

  test('are no fewer than the relationship needs', async () => {
    const one = await addDevice(world, 'single', site.id);
    const few = await refusal(add(world, 'InfraPair', {name: 'p'}, {devices: [{id: one.id}]}));
    expect(few.message).toBe('Too few relationships, min 2 at devices');
    const none = await refusal(add(world, 'InfraPair', {name: 'p'}, {devices: []}));
    expect(none.message).toBe('devices is mandatory for InfraPair at devices');
  });

  test('are not stolen from the object that has them', async () => {
    const contract = await add(world, 'InfraContract', {number: 'C1'}, {site: {id: site.id}});
    const error = await refusal(add(world, 'InfraContract', {number: 'C2'}, {site: {id: site.id}}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toBe(`Node ${site.id} has 2 peers for contract__site, maximum of 1 allowed`);
    expect(await world.peers(site.id, 'contract')).toEqual([contract.id]);
  });

  test('carry the properties of their edge', async () => {
    const account = await add(world, 'CoreAccount', {name: 'edges', password: '$test$hash'});
    const device = await add(
      world,
      'InfraDevice',
      {name: 'edged', vendor: 'v'},
      {site: {id: site.id, isProtected: true, owner: account.id, source: account.id}},
    );
    const [edge] = await (await world.now()).neighbours(device.id, 'site');
    expect(edge?.edge.properties).toMatchObject({isProtected: true, owner: account.id, source: account.id});
    const error = await refusal(
      add(world, 'InfraDevice', {name: 'x', vendor: 'v'}, {site: {id: site.id, owner: 'nobody'}}),
    );
    expect(error.message).toBe('The owner nobody is no object on this branch at site');
  });

  test('through a read-only relationship are refused', async () => {
    const error = await refusal(addDevice(world, 'x', site.id, {}, {audits: []}));
    expect(error.message).toBe('audits is read-only on InfraDevice at audits');
  });
});

describe('objects nested in the input', () => {
  test('are made in the same commit and know their parent', async () => {
    const {value: device, commit} = await world.commit(scope =>
      createNode(
        scope,
        'InfraDevice',
        input(
          {name: 'nest', vendor: 'v'},
          {
            site: {data: input({name: 'nested-site'})},
            interfaces: [
              {kind: 'InfraInterface', data: input({name: 'eth0'})},
              {kind: 'InfraConsole', data: input({name: 'con0'})},
            ],
          },
        ),
      ),
    );
    const parts = await world.peers(device.id, 'interfaces');
    expect(parts).toHaveLength(2);
    for (const part of parts) {
      expect(await world.peers(part, 'device')).toEqual([device.id]);
      expect((await world.node(part)).createdAt).toBe(commit);
    }
    expect(device.value('fqdn')).toBe('nest.nested-site');
  });

  test('need their kind where the relationship leads to a generic', async () => {
    const error = await refusal(
      addDevice(world, 'x', site.id, {}, {interfaces: [{data: input({name: 'eth0'})}]}),
    );
    expect(error.message).toBe(
      'InfraEndpoint is a generic; say the kind of the object to create at interfaces',
    );
    const wrong = await refusal(
      addDevice(world, 'x', site.id, {}, {interfaces: [{kind: 'BuiltinTag', data: input({name: 'eth0'})}]}),
    );
    expect(wrong.message).toBe('interfaces takes objects of InfraEndpoint, not of BuiltinTag at interfaces');
  });

  test('do not name their parent again', async () => {
    const nested = {kind: 'InfraInterface', data: input({name: 'eth0'}, {device: {id: 'any'}})};
    const error = await refusal(addDevice(world, 'x', site.id, {}, {interfaces: [nested]}));
    expect(error.message).toBe('device is the object that this one is nested in; leave it out at device');
  });

  test('are checked like others, and a wrong one undoes all', async () => {
    const nested = {kind: 'InfraInterface', data: input({name: 'eth0', speed: 'fast'})};
    const error = await refusal(addDevice(world, 'undone', site.id, {}, {interfaces: [nested]}));
    expect(error.facts.kind).toBe('InfraInterface');
    const {count} = await (await world.now()).query({
      kind: 'InfraDevice',
      where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: ['undone']}},
      count: true,
      nodes: false,
    });
    expect(count).toBe(0);
  });

  test('may satisfy a minimum together', async () => {
    const part = (name: string) => ({data: input({name, vendor: 'v'}, {site: {id: site.id}})});
    const pair = await add(world, 'InfraPair', {name: 'made-together'}, {devices: [part('m1'), part('m2')]});
    expect(await world.peers(pair.id, 'devices')).toHaveLength(2);
  });
});

describe('places in a hierarchy', () => {
  test('follow the kinds that the schema puts above and below each other', async () => {
    const region = await add(world, 'InfraRegion', {name: 'south'});
    const below = await add(world, 'InfraSite', {name: 'mia1'}, {parent: {id: region.id}});
    const room = await add(world, 'InfraRoom', {name: 'mia1-r1'}, {parent: {id: below.id}});
    expect(await world.peers(below.id, 'children')).toEqual([room.id]);
    const wrong = await refusal(add(world, 'InfraSite', {name: 'mia2'}, {parent: {id: below.id}}));
    expect(wrong.message).toBe('parent takes objects of InfraRegion, not of InfraSite at parent');
  });

  test('above may refuse what below would take', async () => {
    const region = await add(world, 'InfraRegion', {name: 'north'});
    const error = await refusal(add(world, 'InfraRoom', {name: 'n1'}, {parent: {id: region.id}}));
    expect(error.message).toBe(
      'children of InfraRegion takes objects of InfraSite, not of InfraRoom at parent',
    );
  });

  test('never form a circle', async () => {
    const [top, bottom] = [await add(world, 'InfraRoom', {name: 'top'}), 'bottom'];
    const below = await add(world, 'InfraRoom', {name: bottom}, {parent: {id: top.id}});
    const error = await refusal(
      add(world, 'InfraRoom', {name: 'ring'}, {parent: {id: below.id}, children: [{id: top.id}]}),
    );
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toContain('would stand above itself at parent');
  });
});

describe('what peers must have in common', () => {
  test('members of an interface belong to the same device', async () => {
    const [one, two] = [await addDevice(world, 'c1', site.id), await addDevice(world, 'c2', site.id)];
    const eth = (name: string, device: string) =>
      add(world, 'InfraInterface', {name}, {device: {id: device}});
    const [same, foreign] = [await eth('eth0', one.id), await eth('eth0', two.id)];
    const lag = await add(
      world,
      'InfraInterface',
      {name: 'lag0'},
      {device: {id: one.id}, members: [{id: same.id}]},
    );
    expect(await world.peers(same.id, 'lag')).toEqual([lag.id]);
    const error = await refusal(
      add(world, 'InfraInterface', {name: 'lag1'}, {device: {id: one.id}, members: [{id: foreign.id}]}),
    );
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toContain(`${foreign.id} does not have the same device as`);
  });

  test('devices of a pair stand at the same site', async () => {
    const far = await addSite(world, 'far');
    const [here, there] = [await addDevice(world, 'd1', site.id), await addDevice(world, 'd2', far.id)];
    const devices = [{id: here.id}, {id: there.id}];
    const error = await refusal(add(world, 'InfraPair', {name: 'apart'}, {devices}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toContain('do not have the same site at devices');
  });
});
