const text = (name: string, rest: object = {}) => ({name, kind: 'Text', ...rest});
const node = (name: string, rest: object) => ({namespace: 'Infra', name, ...rest});

/** Sites, racks, devices and their parts: enough of a network for every rule about objects. */
export const NETWORK = {
  generics: [
    {
      namespace: 'Infra',
      name: 'Endpoint',
      human_friendly_id: ['device__name__value', 'name__value'],
      uniqueness_constraints: [['device', 'name__value']],
      attributes: [
        text('name'),
        text('description', {optional: true}),
        {name: 'mtu', kind: 'Number', optional: true, default_value: 1500},
      ],
      relationships: [
        {
          name: 'device',
          peer: 'InfraDevice',
          kind: 'Parent',
          identifier: 'device__endpoint',
          cardinality: 'one',
          optional: false,
        },
      ],
    },
    {
      namespace: 'Infra',
      name: 'Location',
      hierarchical: true,
      attributes: [text('name', {unique: true})],
      default_filter: 'name__value',
    },
  ],
  nodes: [
    node('Region', {inherit_from: ['InfraLocation'], parent: '', children: 'InfraSite'}),
    node('Site', {
      inherit_from: ['InfraLocation'],
      parent: 'InfraRegion',
      children: 'InfraRoom',
      default_filter: 'name__value',
      display_labels: ['name__value'],
      attributes: [text('city', {optional: true}), text('label', {optional: true})],
      relationships: [
        {name: 'devices', peer: 'InfraDevice', identifier: 'device__site', cardinality: 'many'},
        {name: 'contract', peer: 'InfraContract', identifier: 'contract__site', cardinality: 'one'},
      ],
    }),
    node('Room', {inherit_from: ['InfraLocation'], parent: 'InfraLocation', children: 'InfraRoom'}),
    node('Contract', {
      attributes: [text('number', {unique: true})],
      relationships: [
        {name: 'site', peer: 'InfraSite', identifier: 'contract__site', cardinality: 'one', optional: false},
      ],
    }),
    node('Device', {
      generate_template: true,
      human_friendly_id: ['name__value'],
      display_labels: ['name__value', 'role__value'],
      attributes: [
        text('name', {unique: true}),
        text('serial', {optional: true, unique: true}),
        {name: 'height', kind: 'Number', optional: true, parameters: {min_value: 1, max_value: 60}},
        {
          name: 'role',
          kind: 'Dropdown',
          optional: true,
          choices: [{name: 'edge'}, {name: 'core'}],
        },
        {name: 'enabled', kind: 'Boolean', default_value: false},
        {name: 'slots', kind: 'Number', default_value: 0},
        text('note', {default_value: ''}),
        text('vendor'),
        {name: 'management', kind: 'IPHost', optional: true},
        {name: 'secret', kind: 'HashedPassword', optional: true, parameters: {min_length: 8}},
        text('inventory', {read_only: true, optional: true}),
        text('fqdn', {
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ name__value }}.{{ site__name__value }}'},
        }),
        {
          name: 'page',
          kind: 'URL',
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: 'https://{{ fqdn__value | lower }}/'},
        },
      ],
      relationships: [
        {
          name: 'site',
          peer: 'InfraSite',
          kind: 'Attribute',
          identifier: 'device__site',
          cardinality: 'one',
          optional: false,
        },
        {name: 'interfaces', peer: 'InfraEndpoint', kind: 'Component', identifier: 'device__endpoint'},
        {name: 'tags', peer: 'BuiltinTag', kind: 'Attribute', cardinality: 'many', max_count: 3},
        {name: 'pair', peer: 'InfraPair', identifier: 'device__pair', cardinality: 'one'},
        {name: 'audits', peer: 'InfraAudit', identifier: 'audit__device', read_only: true},
      ],
    }),
    node('Interface', {
      inherit_from: ['InfraEndpoint'],
      attributes: [{name: 'speed', kind: 'Bandwidth', optional: true}],
      relationships: [
        {
          name: 'members',
          peer: 'InfraInterface',
          identifier: 'lag__member',
          direction: 'outbound',
          cardinality: 'many',
          common_parent: 'device',
        },
        {
          name: 'lag',
          peer: 'InfraInterface',
          identifier: 'lag__member',
          direction: 'inbound',
          cardinality: 'one',
        },
      ],
    }),
    node('Console', {inherit_from: ['InfraEndpoint']}),
    node('Pair', {
      attributes: [text('name', {unique: true})],
      relationships: [
        {
          name: 'devices',
          peer: 'InfraDevice',
          identifier: 'device__pair',
          cardinality: 'many',
          optional: false,
          min_count: 2,
          max_count: 2,
          common_relatives: ['site'],
        },
      ],
    }),
    node('Audit', {
      attributes: [text('name')],
      relationships: [
        {
          name: 'device',
          peer: 'InfraDevice',
          identifier: 'audit__device',
          cardinality: 'one',
          optional: false,
        },
      ],
    }),
    node('Badge', {
      attributes: [text('name', {unique: true})],
      relationships: [
        {name: 'audit', peer: 'InfraAudit', identifier: 'badge__audit', cardinality: 'one', optional: false},
      ],
    }),
    node('Lease', {
      attributes: [
        text('name'),
        {name: 'number', kind: 'NumberPool', read_only: true, parameters: {start_range: 1, end_range: 9}},
      ],
    }),
    node('Echo', {
      attributes: [
        text('name'),
        text('ping', {
          read_only: true,
          optional: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ pong__value }}!'},
        }),
        text('pong', {
          read_only: true,
          optional: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ ping__value }}?'},
        }),
      ],
    }),
  ],
};
