import {describe, expect, test} from 'vitest';
import {createNode} from './create-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const {write} = world;

describe('creating an object', () => {
  test('stores what was given as chosen, and defaults as not', async () => {
    const site = await write(scope => createNode(scope, 'InfraSite', input({name: 'atl1'})));
    const device = await write(scope =>
      createNode(scope, 'InfraDevice', input({name: 'r1', vendor: 'acme', height: 2}, {site: {id: site.id}})),
    );
    expect(device.attribute('height')).toMatchObject({value: 2, isDefault: false});
    expect(device.attribute('enabled')).toMatchObject({value: false, isDefault: true});
    expect(device.attribute('slots')).toMatchObject({value: 0, isDefault: true});
    expect(device.attribute('note')).toMatchObject({value: '', isDefault: true});
    expect(device.attribute('role')).toMatchObject({value: null, isDefault: true});
    expect(device.value('fqdn')).toBe('r1.atl1');
    expect(device.value('page')).toBe('https://r1.atl1/');
    expect(await world.peers(site.id, 'devices')).toEqual([device.id]);
  });

  test('reports every wrong field in one error', async () => {
    const error = await refusal(
      write(scope => createNode(scope, 'InfraDevice', input({height: 99, nonsense: 1, inventory: 'x'}))),
    );
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe(
      [
        'nonsense is not a field of InfraDevice at nonsense',
        'inventory is read-only on InfraDevice at inventory',
        'name is mandatory for InfraDevice at name',
        'height must be at most 60, 99 is more at height',
        'vendor is mandatory for InfraDevice at vendor',
        'site is mandatory for InfraDevice at site',
      ].join(', '),
    );
    expect(error.facts.fields).toContainEqual({
      field: 'site',
      message: 'site is mandatory for InfraDevice',
    });
  });
});
