import {describe, expect, test} from 'vitest';
import {must} from '../../../base/assert.ts';
import {attributeOf, kindOf, relationshipOf} from '../lookup.ts';
import type {KindSchema, Schema} from '../schema.ts';
import {node, schemaOf, sourceOf, text} from '../test-support/load.ts';
import {processSchema} from './process-schema.ts';

const kind = (schema: Schema, name: string): KindSchema => must(kindOf(schema, name), name);
const attribute = (schema: Schema, name: string, field: string) =>
  must(attributeOf(kind(schema, name), field), field);
const relationship = (schema: Schema, name: string, field: string) =>
  must(relationshipOf(kind(schema, name), field), field);

describe('fields', () => {
  const device = (rest: object) => schemaOf({nodes: [node('Device', rest)]});

  test('have labels made of their names', () => {
    const schema = device({attributes: [text('vlan_id'), text('role', {label: 'Rôle'})]});
    expect(attribute(schema, 'InfraDevice', 'vlan_id').label).toBe('Vlan Id');
    expect(attribute(schema, 'InfraDevice', 'role').label).toBe('Rôle');
  });

  test('with a default, even a falsy one, are optional', () => {
    const schema = device({
      attributes: [
        text('name'),
        text('role', {default_value: ''}),
        {name: 'spare', kind: 'Boolean', default_value: false},
      ],
    });
    expect(schema.nodes.get('InfraDevice')?.attributes.map(each => each.optional)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('that are deprecated are optional', () => {
    const relationships = [{name: 'tags', peer: 'BuiltinTag', optional: false, deprecation: 'Use labels'}];
    const schema = device({attributes: [text('name', {deprecation: 'Use title'})], relationships});
    expect(attribute(schema, 'InfraDevice', 'name').optional).toBe(true);
    expect(relationship(schema, 'InfraDevice', 'tags')).toMatchObject({optional: true, min_count: 0});
  });

  test('have their choices in one order, each complete', () => {
    const choices = [
      {name: 'active'},
      {name: 'planned', label: 'Soon', color: '#010203', description: 'Later'},
    ];
    const schema = device({attributes: [{name: 'status', kind: 'Dropdown', choices}]});
    expect(attribute(schema, 'InfraDevice', 'status').choices).toEqual([
      {name: 'planned', label: 'Soon', color: '#010203', description: 'Later'},
      {name: 'active', label: 'Active', color: expect.stringMatching(/^#[0-9a-f]{6}$/), description: ''},
    ]);
  });

  test.each([
    [{cardinality: 'one'}, {min_count: 0, max_count: 1}],
    [
      {cardinality: 'one', optional: false},
      {min_count: 1, max_count: 1},
    ],
    [{}, {min_count: 0, max_count: 0}],
    [{optional: false}, {min_count: 1, max_count: 0}],
    [
      {min_count: 2, max_count: 4},
      {min_count: 2, max_count: 4},
    ],
  ])('a relationship with %o counts %o', (rest, counts) => {
    const schema = device({relationships: [{name: 'tags', peer: 'BuiltinTag', ...rest}]});
    expect(relationship(schema, 'InfraDevice', 'tags')).toMatchObject(counts);
  });

  test('a component goes with its owner', () => {
    const on_delete = (rest: object) =>
      relationship(
        device({relationships: [{name: 'tags', peer: 'BuiltinTag', ...rest}]}),
        'InfraDevice',
        'tags',
      ).on_delete;
    expect(on_delete({})).toBe('no-action');
    expect(on_delete({kind: 'Component'})).toBe('cascade');
    expect(on_delete({kind: 'Component', on_delete: 'no-action'})).toBe('no-action');
  });

  test('both sides of an edge find the same identifier by themselves', () => {
    const schema = schemaOf({
      nodes: [
        node('Device', {relationships: [{name: 'site', peer: 'InfraSite'}]}),
        node('Site', {relationships: [{name: 'devices', peer: 'InfraDevice'}]}),
      ],
    });
    expect(relationship(schema, 'InfraDevice', 'site').identifier).toBe('infradevice__infrasite');
    expect(relationship(schema, 'InfraSite', 'devices').identifier).toBe('infradevice__infrasite');
  });
});

describe('branch support', () => {
  test('of an attribute is that of its kind unless it says otherwise', () => {
    const attributes = [text('name'), text('commit', {branch: 'local'})];
    const schema = schemaOf({nodes: [node('Device', {branch: 'agnostic', attributes})]});
    expect(attribute(schema, 'InfraDevice', 'name').branch).toBe('agnostic');
    expect(attribute(schema, 'InfraDevice', 'commit').branch).toBe('local');
  });

  test('of an inherited attribute is that of the heir', () => {
    const schema = schemaOf({
      generics: [node('Endpoint', {attributes: [text('name')]})],
      nodes: [node('Port', {branch: 'local', inherit_from: ['InfraEndpoint']})],
    });
    expect(attribute(schema, 'InfraEndpoint', 'name').branch).toBe('aware');
    expect(attribute(schema, 'InfraPort', 'name').branch).toBe('local');
  });

  test.each([
    ['aware', 'aware', 'aware'],
    ['agnostic', 'agnostic', 'agnostic'],
    ['aware', 'agnostic', 'aware'],
    ['local', 'agnostic', 'local'],
    ['aware', 'local', 'local'],
  ])('of a relationship between %s and %s is %s', (here, there, branch) => {
    const schema = schemaOf({
      nodes: [
        node('Device', {branch: here, relationships: [{name: 'site', peer: 'InfraSite'}]}),
        node('Site', {branch: there}),
      ],
    });
    expect(relationship(schema, 'InfraDevice', 'site').branch).toBe(branch);
  });
});

describe('inheritance', () => {
  const schema = schemaOf({
    generics: [
      node('Endpoint', {
        attributes: [text('name', {unique: true}), text('speed', {order_weight: 50})],
        relationships: [{name: 'tags', peer: 'BuiltinTag'}],
        order_by: ['name__value'],
        icon: 'mdi:plug',
      }),
      node('Labelled', {
        attributes: [text('speed'), text('label')],
        icon: 'mdi:label',
        display_label: 'label__value',
      }),
    ],
    nodes: [
      node('Port', {
        inherit_from: ['InfraEndpoint', 'InfraLabelled'],
        attributes: [text('mtu'), text('speed', {optional: true})],
      }),
      node('Link', {inherit_from: ['InfraEndpoint', 'InfraLabelled']}),
    ],
  });

  test('puts inherited fields after own ones, with the ids of the generic', () => {
    expect(
      kind(schema, 'InfraLink').attributes.map(each => [each.name, each.inherited, each.declaredBy]),
    ).toEqual([
      ['name', true, 'InfraEndpoint'],
      ['speed', true, 'InfraEndpoint'],
      ['label', true, 'InfraLabelled'],
    ]);
    expect(attribute(schema, 'InfraLink', 'name').id).toBe(attribute(schema, 'InfraEndpoint', 'name').id);
    expect(attribute(schema, 'InfraLink', 'speed').order_weight).toBe(50);
    expect(relationship(schema, 'InfraLink', 'tags')).toMatchObject({
      inherited: true,
      identifier: 'builtintag__infraendpoint',
    });
  });

  test('leaves an overridden field as the node says', () => {
    expect(attribute(schema, 'InfraPort', 'speed')).toMatchObject({
      inherited: false,
      optional: true,
      declaredBy: 'InfraPort',
    });
  });

  test('takes properties from the first generic that has them', () => {
    expect(kind(schema, 'InfraLink')).toMatchObject({
      order_by: ['name__value'],
      icon: 'mdi:plug',
      display_label: 'label__value',
    });
  });

  test('is noted on the generic', () => {
    expect(schema.generics.get('InfraEndpoint')?.used_by).toEqual(['InfraLink', 'InfraPort']);
  });

  test('every kind is a CoreNode, except groups and internal records', () => {
    const usedBy = schema.generics.get('CoreNode')?.used_by;
    expect(usedBy).toEqual(
      expect.arrayContaining(['InfraPort', 'ProfileInfraPort', 'BuiltinTag', 'CoreAccount']),
    );
    expect(usedBy).not.toContain('CoreStandardGroup');
    expect(usedBy).not.toContain('InternalAccountToken');
  });
});

describe('hierarchies', () => {
  const schema = schemaOf({
    generics: [node('Location', {hierarchical: true, attributes: [text('name')]})],
    nodes: [
      node('Country', {inherit_from: ['InfraLocation'], parent: ''}),
      node('City', {inherit_from: ['InfraLocation'], parent: 'InfraCountry', children: ''}),
      node('Place', {inherit_from: ['InfraLocation']}),
    ],
  });

  test('lead up and down, on the generic and on its nodes', () => {
    expect(relationship(schema, 'InfraLocation', 'parent')).toMatchObject({
      peer: 'InfraLocation',
      kind: 'Hierarchy',
      identifier: 'parent__child',
      direction: 'outbound',
      cardinality: 'one',
      hierarchical: 'InfraLocation',
    });
    expect(relationship(schema, 'InfraPlace', 'children')).toMatchObject({
      peer: 'InfraLocation',
      direction: 'inbound',
      cardinality: 'many',
    });
  });

  test('end where a node says so', () => {
    expect(kind(schema, 'InfraCountry').fields.has('parent')).toBe(false);
    expect(relationship(schema, 'InfraCity', 'parent').peer).toBe('InfraCountry');
    expect(kind(schema, 'InfraCity').fields.has('children')).toBe(false);
  });
});

describe('groups', () => {
  test('every kind can join them, but groups themselves', () => {
    const schema = schemaOf({nodes: [node('Device')]});
    for (const name of ['InfraDevice', 'ProfileInfraDevice', 'CoreAccount', 'CoreNode']) {
      expect(relationship(schema, name, 'member_of_groups')).toMatchObject({
        peer: 'CoreGroup',
        identifier: 'group_member',
      });
      expect(relationship(schema, name, 'subscriber_of_groups').identifier).toBe('group_subscriber');
    }
    for (const name of ['CoreGroup', 'CoreStandardGroup', 'LineageOwner']) {
      expect(kind(schema, name).fields.has('member_of_groups')).toBe(false);
    }
  });
});

describe('profiles', () => {
  const attributes = [
    text('name', {unique: true}),
    text('role'),
    {name: 'height', kind: 'Number', default_value: 4},
    text('title', {read_only: true, optional: true}),
  ];
  const schema = schemaOf({
    generics: [node('Endpoint', {attributes: [text('speed')]})],
    nodes: [node('Device', {attributes}), node('Plain', {generate_profile: false})],
  });
  const profile = must(schema.profiles.get('ProfileInfraDevice'), 'profile');

  test('hold what may be set and repeated, all optional and without defaults', () => {
    expect(profile.attributes.map(each => [each.name, each.optional, each.default_value])).toEqual([
      ['profile_name', false, null],
      ['profile_priority', true, 1000],
      ['role', true, null],
      ['height', true, null],
    ]);
  });

  test('keep the ids of the attributes they stand for', () => {
    expect(attribute(schema, 'ProfileInfraDevice', 'role').id).toBe(
      attribute(schema, 'InfraDevice', 'role').id,
    );
  });

  test('lead to their objects, and the objects to them', () => {
    expect(profile.profiledKind).toBe('InfraDevice');
    expect(relationship(schema, 'ProfileInfraDevice', 'related_nodes')).toMatchObject({
      peer: 'InfraDevice',
      identifier: 'node__profile',
    });
    expect(relationship(schema, 'InfraDevice', 'profiles')).toMatchObject({
      peer: 'CoreProfile',
      identifier: 'node__profile',
    });
    expect(schema.generics.get('CoreProfile')?.used_by).toContain('ProfileInfraDevice');
  });

  test('exist for generics too, and not where they are not wanted', () => {
    expect(schema.profiles.has('ProfileInfraEndpoint')).toBe(true);
    expect(schema.profiles.has('ProfileInfraPlain')).toBe(false);
    expect(kind(schema, 'InfraPlain').fields.has('profiles')).toBe(false);
    expect(schema.profiles.has('ProfileCoreAccount')).toBe(false);
  });

  test('are unique by name within their kind', () => {
    expect(profile.uniqueness).toMatchObject([{paths: ['profile_name__value'], scope: 'ProfileInfraDevice'}]);
  });
});

describe('templates', () => {
  const owner = {
    name: 'device',
    peer: 'InfraDevice',
    kind: 'Parent',
    cardinality: 'one',
    optional: false,
    identifier: 'device__port',
  };
  const schema = schemaOf({
    generics: [node('Interface', {attributes: [text('name')], relationships: [owner]})],
    nodes: [
      node('Device', {
        generate_template: true,
        attributes: [
          text('name', {unique: true}),
          text('role'),
          text('title', {read_only: true, optional: true}),
        ],
        relationships: [
          {name: 'interfaces', peer: 'InfraInterface', kind: 'Component', identifier: 'device__port'},
          {name: 'tags', peer: 'BuiltinTag', kind: 'Attribute'},
        ],
      }),
      node('Port', {inherit_from: ['InfraInterface'], attributes: [text('speed')]}),
    ],
  });

  test('hold what may be set and repeated', () => {
    const template = must(schema.templates.get('TemplateInfraDevice'), 'template');
    expect(template.attributes.map(each => [each.name, each.optional])).toEqual([
      ['template_name', false],
      ['role', true],
    ]);
    expect(template).toMatchObject({
      templatedKind: 'InfraDevice',
      inherit_from: ['LineageSource', 'CoreNode', 'CoreObjectTemplate'],
      human_friendly_id: ['template_name__value'],
    });
  });

  test('come with templates for the parts, through generics', () => {
    expect([...schema.templates.keys()]).toEqual(
      expect.arrayContaining(['TemplateInfraDevice', 'TemplateInfraPort']),
    );
    expect(schema.generics.get('TemplateInfraInterface')?.used_by).toEqual(['TemplateInfraPort']);
    const port = must(schema.templates.get('TemplateInfraPort'), 'template');
    expect(port.inherit_from).toContain('CoreObjectComponentTemplate');
    expect(port.human_friendly_id).toEqual(['device__template_name__value', 'template_name__value']);
    expect(attribute(schema, 'TemplateInfraPort', 'speed').optional).toBe(false);
  });

  test('point to the templates of parts and owners, and to the real thing otherwise', () => {
    expect(relationship(schema, 'TemplateInfraDevice', 'interfaces')).toMatchObject({
      peer: 'TemplateInfraInterface',
      identifier: 'template_device__port',
    });
    expect(relationship(schema, 'TemplateInfraPort', 'device')).toMatchObject({
      peer: 'TemplateInfraDevice',
      identifier: 'template_device__port',
    });
    expect(relationship(schema, 'TemplateInfraDevice', 'tags').peer).toBe('BuiltinTag');
    expect(relationship(schema, 'InfraDevice', 'object_template')).toMatchObject({
      peer: 'TemplateInfraDevice',
      cardinality: 'one',
      optional: true,
    });
  });

  test('do not exist for kinds that have nothing to do with them', () => {
    expect(schema.templates.has('TemplateBuiltinTag')).toBe(false);
    expect(schemaOf({nodes: [node('Device')]}).templates.size).toBe(0);
  });
});

describe('what is unique', () => {
  const constraints = (schema: Schema, name: string) =>
    kind(schema, name).uniqueness.map(({paths, scope}) => [scope, ...paths]);

  test('a unique attribute and a constraint on its value are the same', () => {
    const byFlag = schemaOf({nodes: [node('Device', {attributes: [text('name', {unique: true})]})]});
    const byConstraint = schemaOf({
      nodes: [node('Device', {attributes: [text('name')], uniqueness_constraints: [['name__value']]})],
    });
    expect(byFlag.hash).toBe(byConstraint.hash);
    expect(constraints(byFlag, 'InfraDevice')).toEqual([['InfraDevice', 'name__value']]);
    expect(attribute(byConstraint, 'InfraDevice', 'name').unique).toBe(true);
  });

  test('gives people an id when none is named', () => {
    const schema = schemaOf({
      nodes: [node('Device', {attributes: [text('role'), text('name', {unique: true})]}), node('Plain')],
    });
    expect(kind(schema, 'InfraDevice').human_friendly_id).toEqual(['name__value']);
    expect(kind(schema, 'InfraPlain').human_friendly_id).toBe(null);
  });

  test('includes the id that people use, with relationships for the attributes of peers', () => {
    const schema = schemaOf({
      nodes: [
        node('Site', {attributes: [text('name', {unique: true})]}),
        node('Device', {
          attributes: [text('name')],
          human_friendly_id: ['site__name__value', 'name__value'],
          relationships: [{name: 'site', peer: 'InfraSite', cardinality: 'one', optional: false}],
        }),
      ],
    });
    expect(constraints(schema, 'InfraDevice')).toEqual([['InfraDevice', 'site', 'name__value']]);
  });

  test('on a generic is unique across all its kinds', () => {
    const schema = schemaOf({
      generics: [node('Endpoint', {attributes: [text('name', {unique: true})]})],
      nodes: [
        node('Port', {inherit_from: ['InfraEndpoint'], attributes: [text('serial', {unique: true})]}),
        node('Link', {inherit_from: ['InfraEndpoint'], attributes: [text('name')]}),
      ],
    });
    expect(constraints(schema, 'InfraPort')).toEqual([
      ['InfraEndpoint', 'name__value'],
      ['InfraPort', 'serial__value'],
    ]);
    expect(kind(schema, 'InfraPort').uniqueness[0]?.id).toBe(kind(schema, 'InfraEndpoint').uniqueness[0]?.id);
    expect(constraints(schema, 'InfraLink')).toEqual([]);
  });

  test('keeps its id through a rename', () => {
    const source = {nodes: [node('Device', {attributes: [text('name', {unique: true})]})]};
    const before = schemaOf(source);
    const id = attribute(before, 'InfraDevice', 'name').id;
    const after = schemaOf(source, {
      nodes: [node('Device', {attributes: [text('title', {id, unique: true})]})],
    });
    expect(kind(after, 'InfraDevice').uniqueness[0]).toEqual({
      id: kind(before, 'InfraDevice').uniqueness[0]?.id,
      paths: ['title__value'],
      scope: 'InfraDevice',
    });
  });
});

test('names that lead nowhere are reported, not thrown', () => {
  const {problems} = processSchema(
    sourceOf({
      nodes: [
        node('Device', {
          inherit_from: ['InfraNothing'],
          hierarchy: 'InfraNowhere',
          generate_template: true,
          human_friendly_id: ['site__name__value'],
          uniqueness_constraints: [['gone__value']],
          attributes: [text('name', {regex: '(', default_value: 'x'})],
          relationships: [
            {name: 'site', peer: 'InfraNowhere', kind: 'Parent'},
            {name: 'parts', peer: 'InfraLost', kind: 'Component'},
          ],
        }),
      ],
    }),
  );
  expect(problems.map(({path}) => path)).toEqual(
    expect.arrayContaining([
      'InfraDevice.inherit_from',
      'InfraDevice.hierarchy',
      'InfraDevice.name.parameters',
      'InfraDevice.site.peer',
      'InfraDevice.parts.peer',
      'InfraDevice.human_friendly_id',
      'InfraDevice.uniqueness_constraints',
    ]),
  );
});
