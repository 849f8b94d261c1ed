import type {GraphqlWorld} from './graphql-fixtures.ts';

export interface Network {
  readonly tags: Readonly<Record<string, string>>;
  readonly locations: Readonly<Record<string, string>>;
  readonly devices: Readonly<Record<string, string>>;
  readonly interfaces: Readonly<Record<string, string>>;
  readonly accounts: Readonly<Record<string, string>>;
}

/** A small network, made through the API: two regions, three sites, two racks, six devices with interfaces. */
export async function fillNetwork(world: GraphqlWorld): Promise<Network> {
  const create = async (kind: string, rows: Readonly<Record<string, object>>) => {
    const made: Record<string, string> = {};
    for (const [name, data] of Object.entries(rows)) {
      const query = `mutation ($data: ${kind}CreateInput!) { made: ${kind}Create(data: $data) { object { id } } }`;
      const answer = (await world.data(query, {
        variables: {data: {name: {value: name}, ...data}},
      })) as unknown as {
        made: {object: {id: string}};
      };
      made[name] = answer.made.object.id;
    }
    return made;
  };
  const accounts = await create('CoreAccount', {
    alice: {password: {value: 'secret-alice'}, label: {value: 'Alice'}},
    bob: {password: {value: 'secret-bob'}},
  });
  world.caller = {...world.caller, account: accounts.alice as never};
  const tags = await create('BuiltinTag', {red: {}, green: {}, blue: {description: {value: 'calm'}}});
  const regions = await create('LocationRegion', {emea: {}, apac: {}});
  const sites = await create('LocationSite', {
    paris: {parent: {id: regions.emea}},
    berlin: {parent: {id: regions.emea}},
    tokyo: {parent: {id: regions.apac}},
  });
  const racks = await create('LocationRack', {
    'paris-1': {parent: {id: sites.paris}},
    'paris-2': {parent: {id: sites.paris}},
  });
  const tag = (...names: string[]) => names.map(name => ({id: tags[name]}));
  const devices = await create('InfraDevice', {
    alpha: {
      height: {value: 10},
      mgmt: {value: '10.0.0.1/24'},
      role: {value: 'leaf'},
      site: {id: sites.paris},
      tags: tag('red', 'green'),
      mac: {value: 'aa:bb:cc:00:11:22'},
      prefix: {value: '10.0.0.0/24'},
      installed: {value: '2026-01-01T00:00:00Z'},
      facts: {value: {vendor: 'acme', ports: [1, 2]}},
      vlans: {value: ['a', 'b']},
    },
    bravo: {
      height: {value: 20},
      mgmt: {value: '10.0.0.2/24'},
      role: {value: 'spine'},
      site: {id: sites.paris},
      tags: tag('red'),
    },
    charlie: {
      height: {value: 30},
      status: {value: 'drained'},
      site: {id: sites.berlin},
      is_virtual: {value: true},
    },
    delta: {
      description: {value: 'Spare "unit"', is_protected: true, owner: accounts.bob, source: accounts.alice},
      tags: tag('blue'),
    },
    echo: {height: {value: 20}, site: {id: sites.tokyo}, installed: {value: '2026-02-01T00:00:00+01:00'}},
    foxtrot: {mgmt: {value: '2001:db8::1/64'}, status: {value: 'drained'}},
  });
  const interfaces: Record<string, string> = {};
  for (const [device, names] of [
    ['alpha', ['eth0', 'eth1', 'eth2']],
    ['bravo', ['eth0']],
    ['charlie', ['eth0', 'eth1']],
  ] as const) {
    for (const [place, name] of names.entries()) {
      const made = await create('InfraInterface', {
        [name]: {
          device: {
            id: devices[device],
            _relation__is_protected: place === 0,
            _relation__source: accounts.alice,
          },
          speed: {value: 1000 * (place + 1)},
        },
      });
      interfaces[`${device} ${name}`] = made[name]!;
    }
  }
  return {tags, locations: {...regions, ...sites, ...racks}, devices, interfaces, accounts};
}
