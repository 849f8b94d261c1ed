import type {Json} from '../../src/base/json.ts';
import type {KindRecord} from '../../src/ports/graph-store.ts';
import {attribute, chosen, kindRecord, relationship, uniqueOn} from '../../src/ports/graph-store-fixtures.ts';
import type {DataSet, Step} from './data-set.ts';
import {idOf, isValue, nameOf, ROLES, STATUSES, sentence} from './data-set.ts';
import {pick, scatter} from './scatter.ts';

/** A site is a block of 500 objects, in this order; an edge always runs to one that came before. */
const BLOCK = 500;
const RACKS = {from: 1, each: 10};
const DEVICES = {from: 6, each: 7};
const INTERFACES = {from: 56};
const CABLES = {from: 406, count: 85};
const PREFIXES = {from: CABLES.from + CABLES.count};

const indexed = {indexed: true} as const;
const one = {cardinality: 'one'} as const;

const common = (owner: string) => [
  attribute(owner, 'name', 'Text', indexed),
  attribute(owner, 'status', 'Dropdown', indexed),
  attribute(owner, 'description', 'Text'),
];

const SITE = kindRecord({
  name: 'NetSite',
  attributes: [...common('site'), attribute('site', 'city', 'Text'), attribute('site', 'facts', 'JSON')],
  relationships: [
    relationship('racks', 'rack__site', 'NetRack'),
    relationship('devices', 'device__site', 'NetDevice'),
    relationship('prefixes', 'prefix__site', 'NetPrefix'),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('site-name', 'name')],
});

const RACK = kindRecord({
  name: 'NetRack',
  attributes: [...common('rack'), attribute('rack', 'height', 'Number', indexed)],
  relationships: [
    relationship('site', 'rack__site', 'NetSite', one),
    relationship('devices', 'device__rack', 'NetDevice'),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('rack-site-name', '~site', 'name')],
});

const DEVICE = kindRecord({
  name: 'NetDevice',
  attributes: [
    ...common('device'),
    attribute('device', 'role', 'Dropdown', indexed),
    attribute('device', 'position', 'Number', indexed),
    attribute('device', 'address', 'IPHost', indexed),
    attribute('device', 'serial', 'Text'),
    attribute('device', 'enabled', 'Boolean'),
  ],
  relationships: [
    relationship('site', 'device__site', 'NetSite', one),
    relationship('rack', 'device__rack', 'NetRack', one),
    relationship('interfaces', 'device__interface', 'NetInterface'),
    relationship('uplinks', 'device__uplink', 'NetDevice', {direction: 'outbound'}),
    relationship('downlinks', 'device__uplink', 'NetDevice', {direction: 'inbound'}),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('device-name', 'name')],
});

const INTERFACE = kindRecord({
  name: 'NetInterface',
  attributes: [
    ...common('interface'),
    attribute('interface', 'role', 'Dropdown', indexed),
    attribute('interface', 'speed', 'Number'),
    attribute('interface', 'mac', 'MacAddress'),
    attribute('interface', 'mtu', 'Number'),
    attribute('interface', 'enabled', 'Boolean'),
  ],
  relationships: [
    relationship('device', 'device__interface', 'NetDevice', one),
    relationship('cable', 'cable__interface', 'NetCable', one),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('interface-device-name', '~device', 'name')],
});

const CABLE = kindRecord({
  name: 'NetCable',
  attributes: [
    ...common('cable'),
    attribute('cable', 'color', 'Color'),
    attribute('cable', 'length', 'Number'),
  ],
  relationships: [relationship('interfaces', 'cable__interface', 'NetInterface')],
  orderBy: ['name'],
});

const PREFIX = kindRecord({
  name: 'NetPrefix',
  attributes: [...common('prefix'), attribute('prefix', 'prefix', 'IPNetwork', indexed)],
  relationships: [relationship('site', 'prefix__site', 'NetSite', one)],
  orderBy: ['prefix'],
  unique: [uniqueOn('prefix', 'prefix')],
});

const CITIES = ['Atlanta', 'Berlin', 'Chennai', 'Dakar', 'Edmonton', 'Fukuoka'] as const;

interface Made {
  readonly kind: KindRecord;
  readonly values: Readonly<Record<string, Json>>;
  readonly edges: readonly (readonly [relationship: string, target: number])[];
}

function step(index: number): Step {
  const {kind, values, edges} = objectAt(index);
  return stepOf(index, kind, values, edges);
}

function stepOf(index: number, kind: KindRecord, values: Made['values'], edges: Made['edges']): Step {
  const id = idOf(index);
  const shared = {name: nameOf(index), status: pick(STATUSES, index, 12), description: sentence(index, 15)};
  return {
    node: {id, kind: kind.shape.name, attributes: chosen({...shared, ...values})},
    edges: edges.map(([name, target]) => ({node: id, relationship: name, peer: idOf(target)})),
  };
}

function objectAt(index: number): Made {
  const place = index % BLOCK;
  const site = index - place;
  if (place === 0) {
    const values = {city: pick(CITIES, index, 21), facts: {power: {feeds: 2}, floor: scatter(index, 22) % 9}};
    return {kind: SITE, values, edges: []};
  }
  if (place < DEVICES.from) {
    return {kind: RACK, values: {name: `R${place}`, height: 42 + (place % 3)}, edges: [['site', site]]};
  }
  if (place < INTERFACES.from) {
    const rack = site + RACKS.from + Math.floor((place - DEVICES.from) / RACKS.each);
    return {kind: DEVICE, values: deviceValues(index), edges: deviceEdges(rack, site, index)};
  }
  if (place < CABLES.from) {
    const port = place - INTERFACES.from;
    const device = site + DEVICES.from + Math.floor(port / DEVICES.each);
    return {
      kind: INTERFACE,
      values: interfaceValues(index, port % DEVICES.each),
      edges: [['device', device]],
    };
  }
  if (place < PREFIXES.from) {
    const first = site + INTERFACES.from + 4 * (place - CABLES.from);
    const values = {color: '#ffcc00', length: 1 + (scatter(index, 23) % 30)};
    return {
      kind: CABLE,
      values,
      edges: [
        ['interfaces', first],
        ['interfaces', first + 2],
      ],
    };
  }
  const net = index - site - PREFIXES.from + 9 * (site / BLOCK);
  const prefix = `${10 + ((net >>> 16) & 127)}.${(net >>> 8) & 255}.${net & 255}.0/24`;
  return {kind: PREFIX, values: {prefix}, edges: [['site', site]]};
}

function deviceValues(index: number): Made['values'] {
  const host = scatter(index, 10);
  return {
    role: pick(ROLES, index, 11),
    position: 1 + (scatter(index, 24) % 42),
    address: `10.${(host >>> 16) & 255}.${(host >>> 8) & 255}.${host & 255}/24`,
    serial: `SN${scatter(index, 14).toString(36).toUpperCase()}`,
    enabled: scatter(index, 16) % 4 > 0,
  };
}

/** Rack, site, and the device before it in the site. */
function deviceEdges(rack: number, site: number, index: number): Made['edges'] {
  const edges = [
    ['rack', rack],
    ['site', site],
  ] as const;
  return index === site + DEVICES.from ? edges : [...edges, ['uplinks', uplinkOf(site, index)]];
}

const uplinkOf = (site: number, index: number): number =>
  index < site + INTERFACES.from && index > site ? index - 1 : site + DEVICES.from;

const interfaceValues = (index: number, port: number): Made['values'] => ({
  name: `Ethernet1/${port + 1}`,
  role: pick(ROLES, index, 11),
  speed: [1_000, 10_000, 25_000, 100_000][scatter(index, 25) % 4]!,
  mac: scatter(index, 26)
    .toString(16)
    .padStart(12, '0')
    .replaceAll(/..(?=.)/g, '$&:'),
  mtu: 9_214,
  enabled: scatter(index, 16) % 8 > 0,
});

/** A device more, in a rack that is there. */
function extra(serial: number, size: number): Step {
  const index = size + EXTRA_FROM + serial;
  const site = BLOCK * (scatter(serial, 27) % (size / BLOCK));
  const rack = site + RACKS.from + (scatter(serial, 28) % 5);
  return stepOf(index, DEVICE, deviceValues(index), deviceEdges(rack, site, index));
}

/** Past all the numbers that whole blocks are ever made with. */
const EXTRA_FROM = 100_000_000;

const lists = ROLES.flatMap(role =>
  [DEVICE, INTERFACE].map(({shape}) => ({
    kind: shape.name,
    where: isValue('role', role),
    page: {limit: 50, offset: 0},
  })),
);

/** Sites with racks, devices, interfaces, cables and prefixes. */
export const networkSet: DataSet = {
  name: 'network',
  description:
    'N / 500 sites, each with 5 racks, 50 devices, 350 interfaces, 85 cables and 9 prefixes; unique by name, or by name within rack, device or site',
  kinds: [SITE, RACK, DEVICE, INTERFACE, CABLE, PREFIX],
  counted: 'NetDevice',
  lists,
  nested: lists
    .filter(list => list.kind === 'NetDevice')
    .map(list => ({
      ...list,
      include: [{relationship: 'rack', include: [{relationship: 'devices', page: {limit: 10, offset: 0}}]}],
    })),
  nestedPath: [
    ['NetDevice', 'rack'],
    ['NetRack', 'devices'],
  ],
  step,
  extra,
  leaf: (serial, size) =>
    BLOCK * (scatter(serial, 29) % (size / BLOCK)) + CABLES.from + (scatter(serial, 30) % CABLES.count),
};
