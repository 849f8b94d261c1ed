import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {fillNetwork, type Network} from './graphql-data-fixtures.ts';
import {ADMIN, type GraphqlWorld, MAIN, openGraphql, type RunOptions} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let network: Network;
const places: Record<string, RunOptions> = {};

async function names(args: string, kind = 'InfraDevice', options: RunOptions = {}): Promise<string[]> {
  const data = (await world.data(
    `{ list: ${kind}${args} { edges { node { name { value } } } } }`,
    options,
  )) as unknown as {
    list: {edges: {node: {name: {value: string}}}[]};
  };
  return data.list.edges.map(({node}) => node.name.value);
}

/** The data as `fillNetwork` left it stands on main in the past, on a branch, and on a branch of that. */
beforeAll(async () => {
  world = await openGraphql();
  network = await fillNetwork(world);
  const before = world.store.now();
  const author = {account: null};
  const fork = (name: string, origin: string) =>
    world.store.createBranch(
      {name: name as BranchName, origin: origin as BranchName, description: '', syncWithGit: false},
      author,
    );
  await fork('work', MAIN);
  const edit = (name: string, branch: string) =>
    world.data(`mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok } }`, {branch});
  await edit('of-work', 'work');
  await fork('work/deeper', 'work');
  await edit('of-deeper', 'work/deeper');
  Object.assign(places, {
    'main now': {},
    'a branch': {branch: 'work'},
    'a branch of a branch': {branch: 'work/deeper'},
    'a past instant': {at: formatInstant(before)},
  });
  await world.store.createBranch(
    {name: 'spare' as BranchName, origin: MAIN, description: '', syncWithGit: false},
    author,
  );
});

afterAll(() => world.close());

const FAMILIES: readonly (readonly [family: string, args: () => string, found: readonly string[]])[] = [
  ['no filter', () => '', ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot']],
  ['ids', () => `(ids: ["${network.devices.bravo}", "${network.tags.red}", null, "x"])`, ['bravo']],
  ['hfid', () => '(hfid: ["charlie"])', ['charlie']],
  ['hfid ignores other filters', () => '(hfid: ["charlie"], name__value: "alpha")', ['charlie']],
  ['value', () => '(name__value: "alpha")', ['alpha']],
  ['value of a number', () => '(height__value: 20)', ['bravo', 'echo']],
  ['value of a boolean', () => '(is_virtual__value: true)', ['charlie']],
  ['value of false', () => '(is_virtual__value: false)', ['alpha', 'bravo', 'delta', 'echo', 'foxtrot']],
  ['value of an address written otherwise', () => '(mgmt__value: "2001:0db8:0::1/64")', ['foxtrot']],
  ['value of a mac address written otherwise', () => '(mac__value: "AABB.CC00.1122")', ['alpha']],
  ['value of a time in another zone', () => '(installed__value: "2026-01-31T23:00:00Z")', ['echo']],
  ['value of JSON', () => '(facts__value: {ports: [1, 2], vendor: acme})', ['alpha']],
  [
    'value null is no filter',
    () => '(name__value: null)',
    ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'],
  ],
  ['values', () => '(name__values: ["alpha", "echo", null])', ['alpha', 'echo']],
  ['no values', () => '(name__values: [])', []],
  ['dropdown value', () => '(status__value: "drained")', ['charlie', 'foxtrot']],
  ['isnull true', () => '(height__isnull: true)', ['delta', 'foxtrot']],
  ['isnull false', () => '(height__isnull: false)', ['alpha', 'bravo', 'charlie', 'echo']],
  ['greater', () => '(height__gt: 20)', ['charlie']],
  ['greater or equal', () => '(height__gte: 20)', ['bravo', 'charlie', 'echo']],
  ['less', () => '(height__lt: 20)', ['alpha']],
  ['less or equal', () => '(height__lte: 20)', ['alpha', 'bravo', 'echo']],
  ['between', () => '(height__between: [15, 25])', ['bravo', 'echo']],
  ['between addresses', () => '(mgmt__between: ["10.0.0.2/32", "10.0.0.9/32"])', []],
  ['contains', () => '(name__contains: "l")', ['alpha', 'charlie', 'delta']],
  ['starts with', () => '(name__starts_with: "c")', ['charlie']],
  ['ends with', () => '(name__ends_with: "o")', ['bravo', 'echo']],
  ['after a time', () => '(installed__gt: "2026-01-15T00:00:00Z")', ['echo']],
  ['source', () => `(description__source__id: "${network.accounts.alice}")`, ['delta']],
  ['owner', () => `(description__owner__id: "${network.accounts.bob}")`, ['delta']],
  ['protected', () => '(description__is_protected: true)', ['delta']],
  ['any value', () => '(any__value: "leaf")', ['alpha']],
  ['any value spelled as a number', () => '(any__value: "30")', ['charlie']],
  ['any values', () => '(any__values: ["leaf", "spine"])', ['alpha', 'bravo']],
  ['any protected', () => '(any__is_protected: true)', ['delta']],
  ['any owner', () => `(any__owner__id: "${network.accounts.bob}")`, ['delta']],
  ['partial match', () => '(name__value: "LPH", partial_match: true)', ['alpha']],
  ['partial match of a number', () => '(height__value: 3, partial_match: true)', ['charlie']],
  ['partial match of any', () => '(any__value: "spar", partial_match: true)', ['delta']],
  ['related value', () => '(site__name__value: "paris")', ['alpha', 'bravo']],
  ['related values', () => '(tags__name__values: ["green", "blue"])', ['alpha', 'delta']],
  ['related ids', () => `(tags__ids: ["${network.tags.red}"])`, ['alpha', 'bravo']],
  ['related isnull', () => '(site__isnull: true)', ['delta', 'foxtrot']],
  ['related is not null', () => '(tags__isnull: false)', ['alpha', 'bravo', 'delta']],
  ['two filters', () => '(site__name__value: "paris", tags__name__value: "green")', ['alpha']],
  ['where', () => '(where: {height: {gte: 20}, site: {name: {value: "paris"}}})', ['bravo']],
  [
    'where OR',
    () => '(where: {OR: [{name: {value: "alpha"}}, {height: {isnull: true}}]})',
    ['alpha', 'delta', 'foxtrot'],
  ],
  [
    'where NOT',
    () => '(where: {NOT: {site__isnull: true}, AND: [{height: {lt: 25}}]})',
    ['alpha', 'bravo', 'echo'],
  ],
  ['where through two relationships', () => '(where: {site: {parent: {name: {value: "apac"}}}})', ['echo']],
  [
    'where none related',
    () => '(where: {NOT: {tags: {name: {value: "red"}}}})',
    ['charlie', 'delta', 'echo', 'foxtrot'],
  ],
  ['where ignoring case', () => '(where: {name: {contains: "ALPH", ignore_case: true}})', ['alpha']],
  ['an empty where', () => '(where: {})', ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot']],
  ['order by creation', () => '(order: {node_metadata: {created_at: DESC}}, first: 2)', ['foxtrot', 'echo']],
  [
    'order by a path',
    () => '(order: {by: [{path: "height__value", direction: DESC}]}, first: 3)',
    ['charlie', 'bravo', 'echo'],
  ],
  ['order disabled', () => '(order: {disable: true}, first: 1)', ['alpha']],
];

describe.each(['main now', 'a branch', 'a branch of a branch', 'a past instant'])('on %s', place => {
  test.each(FAMILIES)('%s', async (_family, args, found) => {
    expect(await names(args(), 'InfraDevice', places[place])).toEqual(found);
  });

  test('a filter through the parent of a hierarchy matches any ancestor', async () => {
    const racks = await names('(parent__name__value: "emea")', 'LocationRack', places[place]);
    expect(racks).toEqual(['paris-1', 'paris-2']);
  });

  test('a generic lists the objects of all its kinds', async () => {
    const all = await names('(name__value: "eth1")', 'InfraEndpoint', places[place]);
    expect(all).toEqual(['eth1', 'eth1']);
    expect(await names('(name__starts_with: "paris")', 'LocationGeneric', places[place])).toEqual([
      'paris',
      'paris-1',
      'paris-2',
    ]);
  });
});

test('a kind is filtered by when its objects were made', async () => {
  const {devices} = (await world.data(
    '{ devices: InfraDevice(name__value: "charlie") { edges { node_metadata { created_at } } } }',
  )) as unknown as {devices: {edges: {node_metadata: {created_at: string}}[]}};
  const instant = devices.edges[0]!.node_metadata.created_at;
  expect(await names(`(node_metadata__created_at: "${instant}")`)).toEqual(['charlie']);
  expect(await names(`(node_metadata__created_at__before: "${instant}")`)).toEqual(['alpha', 'bravo']);
  expect(await names(`(node_metadata__created_at__after: "${instant}")`)).toEqual([
    'delta',
    'echo',
    'foxtrot',
  ]);
});

test('a kind is filtered by who made its objects and who changed them last', async () => {
  const create = async (name: string) =>
    (
      (await world.data(
        `mutation { made: CoreAccountCreate(data: {name: {value: "${name}"}, password: {value: "secret"}}) { object { id } } }`,
      )) as unknown as {made: {object: {id: string}}}
    ).made.object.id;
  const [ada, eve] = [await create('ada'), await create('eve')];
  const by = async (account: string, document: string) => {
    world.caller = {...ADMIN, account: account as NodeId};
    await world.data(document);
    world.caller = ADMIN;
  };
  await by(ada, 'mutation { InfraDeviceCreate(data: {name: {value: "golf"}}) { ok } }');
  await by(eve, 'mutation { InfraDeviceUpdate(data: {hfid: ["golf"], description: {value: "x"}}) { ok } }');
  expect(await names(`(node_metadata__created_by__id: "${ada}")`)).toEqual(['golf']);
  expect(await names(`(node_metadata__created_by__ids: ["${ada}", "${eve}"])`)).toEqual(['golf']);
  expect(await names(`(node_metadata__updated_by__id: "${ada}")`)).toEqual([]);
  expect(await names(`(node_metadata__updated_by__ids: ["${eve}"])`)).toEqual(['golf']);
  expect(await names('(node_metadata__created_by__id: "nobody")')).toEqual([]);
});

test('a display label that is one attribute can be filtered by', async () => {
  expect(await names('(display_label__value: "paris")', 'LocationSite')).toEqual(['paris']);
});

test('lists of related objects have filters of their own', async () => {
  const data = await world.data(`{ InfraDevice(name__value: "alpha") { edges { node {
    fast: interfaces(speed__gte: 2000) { count edges { node { name { value } } } }
    one: interfaces(name__values: ["eth0"], limit: 1) { count edges { node { name { value } } } }
    none: interfaces(where: {speed: {gt: 9999}}) { count }
  } } } }`);
  expect(data).toMatchObject({
    InfraDevice: {
      edges: [
        {
          node: {
            fast: {count: 2, edges: [{node: {name: {value: 'eth1'}}}, {node: {name: {value: 'eth2'}}}]},
            one: {count: 1, edges: [{node: {name: {value: 'eth0'}}}]},
            none: {count: 0},
          },
        },
      ],
    },
  });
});
