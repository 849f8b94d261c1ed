import {describe, expect, test} from 'vitest';
import type {Passwords} from '../../ports/passwords.ts';
import {createNode} from './create-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {addSite} from './network-objects-fixtures.ts';
import {prepareNodeInput} from './prepare-node-input.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);
const site = await addSite(world, 'atl1');
const passwords: Passwords = {
  hash: async text => `$reversed$${[...text].reverse().join('')}`,
  verify: async (text, hash) => hash === `$reversed$${[...text].reverse().join('')}`,
};
const prepare = (kind: string, given: Parameters<typeof prepareNodeInput>[3]) =>
  prepareNodeInput({passwords}, world.schema, kind, given);

describe('before a write', () => {
  test('passwords are hashed, those of nested objects too', async () => {
    const device = input({name: 'r1', vendor: 'v', secret: 'long-enough'});
    const given = input({name: 'x'}, {devices: [{data: device}]});
    const prepared = await prepare('InfraSite', given);
    const [nested] = prepared.relationships.devices as readonly {data: typeof device}[];
    expect(nested?.data.attributes.secret).toEqual({value: '$reversed$hguone-gnol'});
    expect(nested?.data.attributes.name).toEqual({value: 'r1'});
  });

  test('passwords of a generic’s kinds are hashed when the generic is asked', async () => {
    const prepared = await prepare('CoreGenericAccount', input({password: 'abc'}));
    expect(prepared.attributes.password).toEqual({value: '$reversed$cba'});
    const any = await prepare('CoreNode', input({secret: 'long-enough'}));
    expect(any.attributes.secret).toEqual({value: '$reversed$hguone-gnol'});
  });

  test('what is no password stays as it is', async () => {
    const given = input({name: 'x', city: null}, {contract: null, parent: {id: 'south'}}, {id: 'x'});
    expect(await prepare('InfraSite', given)).toEqual(given);
    expect(await prepare('InfraNothing', given)).toEqual(given);
  });

  test('a password is judged as the text it is', async () => {
    const error = await refusal(prepare('InfraDevice', input({secret: 'short'})));
    expect(error.message).toBe('secret must have at least 8 characters, it has 5 at secret');
  });
});

describe('a write', () => {
  test('stores a hash, and takes a null for none', async () => {
    const related = {site: {id: site.id}};
    const prepared = await prepare(
      'InfraDevice',
      input({name: 'r2', vendor: 'v', secret: 'long-enough'}, related),
    );
    const device = await world.write(scope => createNode(scope, 'InfraDevice', prepared));
    expect(device.value('secret')).toBe('$reversed$hguone-gnol');
    const none = input({name: 'r3', vendor: 'v', secret: null}, related);
    expect((await world.write(scope => createNode(scope, 'InfraDevice', none))).value('secret')).toBe(null);
  });

  test('never stores a password that was not hashed', async () => {
    const given = input({name: 'r4', vendor: 'v', secret: 'long-enough'}, {site: {id: site.id}});
    await expect(world.write(scope => createNode(scope, 'InfraDevice', given))).rejects.toThrow(
      'was not hashed before the write',
    );
  });
});
