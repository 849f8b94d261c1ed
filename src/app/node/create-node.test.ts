import {describe, expect, test} from 'vitest';
import {numberedId} from '../../ports/graph-store-fixtures.ts';
import {createNode} from './create-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite} from './network-objects-fixtures.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const {write} = world;
const site = await addSite(world, 'atl1');

describe('the values of a new object', () => {
  test('what was given is chosen; defaults are not, false, zero and the empty text included', async () => {
    const device = await addDevice(world, 'values', site.id, {height: 2});
    expect(device.attribute('height')).toMatchObject({value: 2, isDefault: false});
    expect(device.attribute('enabled')).toMatchObject({value: false, isDefault: true});
    expect(device.attribute('slots')).toMatchObject({value: 0, isDefault: true});
    expect(device.attribute('note')).toMatchObject({value: '', isDefault: true});
    expect(device.attribute('role')).toMatchObject({value: null, isDefault: true});
  });

  test('are stored in the form of their kind', async () => {
    const device = await addDevice(world, 'normal', site.id, {management: '10.0.0.1'});
    expect(device.value('management')).toBe('10.0.0.1/32');
  });

  test('a null that was given is a choice', async () => {
    const device = await addDevice(world, 'nulls', site.id, {slots: null});
    expect(device.attribute('slots')).toMatchObject({value: null, isDefault: false});
  });

  test('flags may come without a value', async () => {
    const owner = await add(world, 'CoreStandardGroup', {name: 'not-an-owner'});
    const device = await write(scope =>
      createNode(scope, 'InfraDevice', {
        attributes: {
          name: {value: 'flags'},
          vendor: {value: 'acme'},
          slots: {isProtected: true, isVisible: false},
        },
        relationships: {site: {id: site.id}},
      }),
    );
    expect(device.attribute('slots')).toMatchObject({
      value: 0,
      isDefault: true,
      isProtected: true,
      isVisible: false,
    });
    const error = await refusal(
      write(scope =>
        createNode(scope, 'InfraSite', {
          attributes: {name: {value: 'x', owner: owner.id}},
          relationships: {},
        }),
      ),
    );
    expect(error.message).toBe(
      `The owner ${owner.id} is a CoreStandardGroup, which is no LineageOwner at name`,
    );
  });

  test('source and owner are objects that may be such', async () => {
    const account = await write(scope =>
      createNode(scope, 'CoreAccount', input({name: 'owner', password: '$test$hash'})),
    );
    const made = await write(scope =>
      createNode(scope, 'InfraSite', {
        attributes: {name: {value: 'owned', owner: account.id, source: account.id}},
        relationships: {},
      }),
    );
    expect(made.attribute('name')).toMatchObject({owner: account.id, source: account.id});
    const error = await refusal(
      write(scope =>
        createNode(scope, 'InfraSite', {
          attributes: {name: {value: 'x', source: 'nobody'}},
          relationships: {},
        }),
      ),
    );
    expect(error.message).toBe('The source nobody is no object on this branch at name');
  });

  test('an empty label is made of the name', async () => {
    const plain = await addSite(world, 'new_york-2 HQ');
    expect(plain.attribute('label')).toMatchObject({value: 'New York-2 Hq', isDefault: false});
    const given = await add(world, 'InfraSite', {name: 'paris', label: 'PARIS!'});
    expect(given.value('label')).toBe('PARIS!');
  });

  test('an id of the caller is used, and refused when it is taken or is none', async () => {
    const id = numberedId(0xabcdef);
    const made = await write(scope =>
      createNode(scope, 'InfraSite', input({name: 'with-id'}, {}, {id: id.toUpperCase()})),
    );
    expect(made.id).toBe(id);
    const taken = await refusal(write(scope => createNode(scope, 'InfraSite', input({name: 'b'}, {}, {id}))));
    expect(taken.code).toBe('CONSTRAINT_VIOLATION');
    const none = await refusal(
      write(scope => createNode(scope, 'InfraSite', input({name: 'c'}, {}, {id: 'site-1'}))),
    );
    expect(none.code).toBe('VALIDATION_ERROR');
  });
});

describe('an object is refused', () => {
  test('with every wrong field in one error', async () => {
    const error = await refusal(
      add(world, 'InfraDevice', {height: 99, nonsense: 1, inventory: 'x', slots: 'many'}),
    );
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe(
      [
        'nonsense is not a field of InfraDevice at nonsense',
        'inventory is read-only on InfraDevice at inventory',
        'name is mandatory for InfraDevice at name',
        'height must be at most 60, 99 is more at height',
        'slots must be an integer, not a text at slots',
        'vendor is mandatory for InfraDevice at vendor',
        'site is mandatory for InfraDevice at site',
      ].join(', '),
    );
    expect(error.facts.fields).toContainEqual({
      field: 'site',
      message: 'site is mandatory for InfraDevice',
    });
  });

  test('with names that mean something to the language', async () => {
    const names = JSON.parse('{"__proto__": {"value": 1}, "constructor": {"value": 2}}');
    const error = await refusal(
      write(scope => createNode(scope, 'InfraSite', {attributes: names, relationships: {}})),
    );
    expect(error.message).toContain('__proto__ is not a field of InfraSite at __proto__');
    expect(error.message).toContain('constructor is not a field of InfraSite at constructor');
  });

  test('when a mandatory value is null', async () => {
    const error = await refusal(addDevice(world, 'no-vendor', site.id, {vendor: null}));
    expect(error.message).toBe('vendor is mandatory for InfraDevice at vendor');
  });

  test('when a field is given as the other kind of field', async () => {
    const error = await refusal(add(world, 'InfraSite', {name: 'x', devices: []}, {city: null}));
    expect(error.message).toContain('devices is a relationship of InfraSite, not an attribute');
    expect(error.message).toContain('city is an attribute of InfraSite, not a relationship');
  });

  test('when its kind is a generic or unknown', async () => {
    expect((await refusal(add(world, 'InfraEndpoint', {name: 'x'}))).code).toBe('VALIDATION_ERROR');
    expect((await refusal(add(world, 'InfraNothing', {name: 'x'}))).code).toBe('SCHEMA_NOT_FOUND');
  });

  test('when a unique value is taken, and nothing of it is kept', async () => {
    const error = await refusal(
      write(async scope => {
        await createNode(scope, 'InfraSite', input({name: 'fresh'}));
        await createNode(scope, 'InfraSite', input({name: 'atl1'}));
      }),
    );
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toContain('An object already exist with this value: name: atl1 at name');
    const {found} = await (await world.now()).query({
      kind: 'InfraSite',
      where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: ['fresh']}},
    });
    expect(found).toEqual([]);
  });

  test('when its kind draws a number from a pool', async () => {
    const error = await refusal(add(world, 'InfraLease', {name: 'x'}));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toContain('number takes its number from a pool');
  });
});
