import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {fillNetwork, type Network} from './graphql-data-fixtures.ts';
import {type GraphqlWorld, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let network: Network;

beforeAll(async () => {
  world = await openGraphql();
  network = await fillNetwork(world);
});

afterAll(() => world.close());

async function node(kind: string, name: string, fields: string): Promise<unknown> {
  const data = (await world.data(
    `{ list: ${kind}(name__value: "${name}") { edges { node { ${fields} } } } }`,
  )) as unknown as {
    list: {edges: {node: unknown}[]};
  };
  return data.list.edges[0]?.node;
}

describe('attributes show', () => {
  test('the parts of their kinds', async () => {
    const fields = `status { value label color description } mgmt { value ip hostmask netmask prefixlen version with_hostmask with_netmask }
      prefix { broadcast_address num_addresses prefixlen version } mac { value oui version dot_notation semicolon_notation }
      installed { value } facts { value } vlans { value } is_virtual { value } height { value }`;
    expect(await node('InfraDevice', 'alpha', fields)).toEqual({
      status: {value: 'active', label: 'Active', color: '#00ff00', description: 'In use'},
      mgmt: {
        value: '10.0.0.1/24',
        ip: '10.0.0.1',
        hostmask: '0.0.0.255',
        netmask: '255.255.255.0',
        prefixlen: 24,
        version: 4,
        with_hostmask: '10.0.0.1/0.0.0.255',
        with_netmask: '10.0.0.1/255.255.255.0',
      },
      prefix: {broadcast_address: '10.0.0.255', num_addresses: 256, prefixlen: 24, version: 4},
      mac: {
        value: 'AA-BB-CC-00-11-22',
        oui: 'AA-BB-CC',
        version: 48,
        dot_notation: 'aabb.cc00.1122',
        semicolon_notation: 'aa:bb:cc:00:11:22',
      },
      installed: {value: '2026-01-01T00:00:00Z'},
      facts: {value: {vendor: 'acme', ports: [1, 2]}},
      vlans: {value: ['a', 'b']},
      is_virtual: {value: false},
      height: {value: 10},
    });
  });

  test('nothing where there is no value', async () => {
    expect(
      await node(
        'InfraDevice',
        'delta',
        'mgmt { value ip } mac { value oui } height { value } role { value }',
      ),
    ).toEqual({
      mgmt: {value: null, ip: null},
      mac: {value: null, oui: null},
      height: {value: null},
      role: {value: null},
    });
  });

  test('who answers for them, and who changed them when', async () => {
    const fields = `description { id is_default is_protected is_visible is_inherited is_from_profile updated_at
      source { id __typename display_label } owner { id ... on CoreAccount { name { value } } } updated_by { display_label hfid } }`;
    expect(await node('InfraDevice', 'delta', fields)).toEqual({
      description: {
        id: `${network.devices.delta}:description`,
        is_default: false,
        is_protected: true,
        is_visible: true,
        is_inherited: true,
        is_from_profile: false,
        updated_at: expect.stringMatching(/^2026-.*Z$/),
        source: {id: network.accounts.alice, __typename: 'CoreAccount', display_label: 'Alice'},
        owner: {id: network.accounts.bob, name: {value: 'bob'}},
        updated_by: {display_label: 'Alice', hfid: ['alice']},
      },
    });
  });
});

describe('relationships show', () => {
  test('their peers, properties and metadata', async () => {
    const data = (await node(
      'InfraDevice',
      'alpha',
      `interfaces { count edges { node { name { value } hfid device { node { name { value } } properties { is_protected source { id } owner { id } } } }
         properties { is_protected updated_at source { display_label } } relationship_metadata { created_at updated_by { id } } node_metadata { created_at created_by { display_label } } } }`,
    )) as {interfaces: {count: number; edges: unknown[]}};
    expect(data.interfaces.count).toBe(3);
    expect(data.interfaces.edges[0]).toEqual({
      node: {
        name: {value: 'eth0'},
        hfid: ['alpha', 'eth0'],
        device: {
          node: {name: {value: 'alpha'}},
          properties: {is_protected: true, source: {id: network.accounts.alice}, owner: null},
        },
      },
      properties: {is_protected: true, updated_at: expect.any(String), source: {display_label: 'Alice'}},
      relationship_metadata: {created_at: expect.any(String), updated_by: {id: network.accounts.alice}},
      node_metadata: {created_at: expect.any(String), created_by: {display_label: 'Alice'}},
    });
  });

  test('an unset one as an edge without a node', async () => {
    expect(
      await node('InfraDevice', 'delta', 'site { node { id } properties { is_protected } cursor }'),
    ).toEqual({
      site: {node: null, properties: null, cursor: null},
    });
  });
});

describe('hierarchies show', () => {
  const NAMES = '{ count edges { node { __typename name { value } } } }';

  test('what is above and below, at one step and at all', async () => {
    const names = (...list: [string, string][]) => ({
      count: list.length,
      edges: list.map(([kind, value]) => ({node: {__typename: `Location${kind}`, name: {value}}})),
    });
    expect(
      await node(
        'LocationSite',
        'paris',
        `parent { node { name { value } } } children ${NAMES} ancestors ${NAMES} descendants ${NAMES}`,
      ),
    ).toEqual({
      parent: {node: {name: {value: 'emea'}}},
      children: names(['Rack', 'paris-1'], ['Rack', 'paris-2']),
      ancestors: names(['Region', 'emea']),
      descendants: names(['Rack', 'paris-1'], ['Rack', 'paris-2']),
    });
    expect(await node('LocationRegion', 'emea', `descendants(limit: 2) ${NAMES}`)).toEqual({
      descendants: {...names(['Site', 'berlin'], ['Site', 'paris']), count: 4},
    });
  });

  test('the peers of everything below, when asked', async () => {
    const region = await node(
      'LocationRegion',
      'emea',
      'member_of_groups(include_descendants: true) { count }',
    );
    expect(region).toEqual({member_of_groups: {count: 0}});
    expect(await node('LocationSite', 'paris', 'devices(include_descendants: true) { count }')).toEqual({
      devices: {count: 2},
    });
  });
});

test('@expand adds every attribute that is not left out', async () => {
  const data = await world.data(
    '{ BuiltinTag(name__value: "blue") { edges { node @expand(exclude: ["label"]) { id } } } }',
  );
  expect(data).toEqual({
    BuiltinTag: {
      edges: [
        {
          node: {
            id: network.tags.blue,
            __typename: 'BuiltinTag',
            name: {value: 'blue', is_default: false, is_from_profile: false},
            description: {value: 'calm', is_default: false, is_from_profile: false},
          },
        },
      ],
    },
  });
});

test('the caller sees the account it is', async () => {
  const data = await world.data(
    '{ AccountProfile { id display_label ... on CoreAccount { name { value } } } }',
  );
  expect(data).toEqual({
    AccountProfile: {id: network.accounts.alice, display_label: 'Alice', name: {value: 'alice'}},
  });
});

test('the edges of a relationship are found by its identifier', async () => {
  const data = await world.data(
    '{ Relationship(ids: ["device__site"], limit: 1) { count edges { node { identifier peers { id kind } updated_by } } } }',
  );
  expect(data).toMatchObject({
    Relationship: {
      count: 4,
      edges: [{node: {identifier: 'device__site', peers: [{}, {}], updated_by: network.accounts.alice}}],
    },
  });
});

test('an attribute object in the past shows the value of then', async () => {
  const before = world.store.now();
  await world.data(
    `mutation { InfraDeviceUpdate(data: {id: "${network.devices.echo}", height: {value: 77}}) { ok } }`,
  );
  const ask = (at?: string) =>
    world.data(
      '{ InfraDevice(name__value: "echo") { edges { node { height { value } } } } }',
      at === undefined ? {} : {at},
    );
  expect(JSON.stringify(await ask())).toContain('77');
  expect(JSON.stringify(await ask(formatInstant(before)))).toContain('20');
});

describe('the history of an object', () => {
  interface Entry {
    node: {
      action: string;
      branch: string;
      author: {id: string} | null;
      changes: {field: string; previous_value: unknown; new_value: unknown}[];
    };
    cursor: string;
  }
  const history = async (args: string, branch = 'main') => {
    const data = (await world.data(
      `{ InfraDevice(name__value: "foxtrot") { edges { node { history${args} {
         edges { cursor node { occurred_at branch action author { id } changes { field previous_value new_value } } } pageInfo { hasNextPage endCursor } } } } } }`,
      {branch},
    )) as unknown as {
      InfraDevice: {
        edges: {node: {history: {edges: Entry[]; pageInfo: {hasNextPage: boolean; endCursor: string}}}}[];
      };
    };
    return data.InfraDevice.edges[0]!.node.history;
  };

  test('is each commit that touched it, with who, when, and the values before and after', async () => {
    const id = network.devices.foxtrot;
    await world.data(`mutation { InfraDeviceUpdate(data: {id: "${id}", height: {value: 5}}) { ok } }`);
    await world.data(
      `mutation { InfraDeviceUpdate(data: {id: "${id}", tags: [{id: "${network.tags.red}"}]}) { ok } }`,
    );
    const {edges, pageInfo} = await history('(first: 2)');
    expect(edges.map(({node: entry}) => [entry.action, entry.author?.id, entry.changes])).toEqual([
      [
        'UPDATED',
        network.accounts.alice,
        [{field: 'tags', previous_value: [], new_value: [network.tags.red]}],
      ],
      ['UPDATED', network.accounts.alice, [{field: 'height', previous_value: null, new_value: 5}]],
    ]);
    expect(pageInfo.hasNextPage).toBe(true);
    const rest = await history(`(first: 5, after: "${pageInfo.endCursor}")`);
    expect(rest.edges.map(({node: entry}) => entry.action)).toEqual(['CREATED']);
    expect(rest.edges[0]?.node.changes).toContainEqual({
      field: 'name',
      previous_value: null,
      new_value: 'foxtrot',
    });
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  test('on a branch is its own and that of what it stands on', async () => {
    const branch = {
      name: 'told' as never,
      origin: world.store.defaultBranch,
      description: '',
      syncWithGit: false,
    };
    await world.store.createBranch(branch, {account: null});
    const update = `mutation { InfraDeviceUpdate(data: {id: "${network.devices.foxtrot}", height: {value: 6}}) { ok } }`;
    await world.data(update, {branch: 'told'});
    const {edges} = await history('', 'told');
    expect(edges.map(({node: entry}) => entry.branch)).toEqual(['told', 'main', 'main', 'main']);
    expect((await history('')).edges).toHaveLength(3);
  });

  test.each(['(first: -1)', '(first: 100000)', '(after: "x")'])('refuses %s', async args => {
    const {errors} = await world.run(
      `{ InfraDevice(first: 1) { edges { node { history${args} { edges { cursor } } } } } }`,
    );
    expect(errors).toMatchObject([{path: ['InfraDevice'], extensions: {code: 'VALIDATION_ERROR'}}]);
  });

  test('never shows a password', async () => {
    const data = await world.data(
      '{ CoreAccount(name__value: "alice") { edges { node { history { edges { node { changes { field new_value } } } } } } } }',
    );
    expect(JSON.stringify(data)).toContain('{"field":"password","new_value":"***"}');
  });
});
