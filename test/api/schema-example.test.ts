import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {openWorld} from './schema-world.ts';

const FOLDER = new URL('../../examples/network/', import.meta.url);
const files = readdirSync(FOLDER).filter(name => name.endsWith('.yml'));
const roots = files.map(name => parse(readFileSync(new URL(name, FOLDER), 'utf8')) as object);

test('the example network loads as it is, without a warning, and once', async () => {
  const world = await openWorld();
  const {status, body} = await world.ask('POST', '/api/schema/load', {schemas: roots});
  expect([status, body.detail, body.warnings]).toEqual([200, undefined, []]);
  const again = await world.ask('POST', '/api/schema/load', {schemas: roots});
  expect(again.body).toMatchObject({schema_updated: false, hash: body.hash});
  const {templates, profiles} = (await world.get('/api/schema')).body;
  const names = (kinds: readonly {kind: string}[]) => kinds.map(each => each.kind);
  expect(names(templates)).toEqual(
    expect.arrayContaining(['TemplateInfraDevice', 'TemplateInfraPhysicalInterface']),
  );
  expect(names(profiles)).toContain('ProfileInfraInterface');
});

test('a small network fits into it', async () => {
  const world = await openWorld();
  await world.ask('POST', '/api/schema/load', {schemas: roots});
  const region = await world.create('LocationRegion', {name: 'Europe'});
  const site = await world.create(
    'LocationSite',
    {name: 'Bern 1', facility_code: 'brn1'},
    {links: {parent: region}},
  );
  const maker = await world.create('InfraManufacturer', {name: 'Acme'});
  const type = await world.create('InfraDeviceType', {name: 'SW-48'}, {links: {manufacturer: maker}});
  const device = (name: string) => world.create('InfraDevice', {name}, {links: {device_type: type, site}});
  const [leaf, spine] = [await device('brn1-leaf-1'), await device('brn1-spine-1')];
  const ports = [];
  for (const each of [leaf, spine]) {
    ports.push(
      await world.create('InfraPhysicalInterface', {name: 'eth1', mtu: 9000}, {links: {device: each}}),
    );
  }
  await world.create('InfraCable', {label_text: 'c-1'}, {links: {endpoints: ports}});
  const prefix = await world.create('IpamPrefix', {prefix: '10.0.0.0/24'}, {links: {site}});
  await world.create('IpamAddress', {address: '10.0.0.1/24'}, {links: {prefix, interface: ports[0]!}});
  expect(await world.peers(leaf, 'interfaces')).toEqual([ports[0]]);
  expect(await world.peers(site, 'parent')).toEqual([region]);
  const shrunk = {
    extensions: {
      nodes: [
        {
          kind: 'InfraInterface',
          attributes: [
            {name: 'mtu', kind: 'Number', default_value: 1500, parameters: {min_value: 576, max_value: 1500}},
          ],
        },
      ],
    },
  };
  const refused = await world.load(shrunk);
  expect([refused.status, refused.body.errors[0].message.split('\n').length]).toEqual([422, 2]);
  expect(await world.problems()).toEqual([]);
});
