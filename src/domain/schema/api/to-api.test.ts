import {expect, test} from 'vitest';
import {must} from '../../../base/assert.ts';
import type {JsonObject} from '../../../base/json.ts';
import {kindOf} from '../lookup.ts';
import {node, schemaOf, text} from '../test-support/load.ts';
import {jsonSchemaOf} from './json-schema.ts';
import {kindToApi} from './kind-to-api.ts';
import {summaryToApi, toApi} from './to-api.ts';

const schema = schemaOf({
  generics: [node('Endpoint', {attributes: [text('speed', {optional: true})]})],
  nodes: [
    node('Device', {
      description: 'A device',
      inherit_from: ['InfraEndpoint'],
      attributes: [
        text('name', {unique: true, regex: '^a', description: 'Its name'}),
        {name: 'mtu', kind: 'Number', default_value: 1500},
        {name: 'status', kind: 'Dropdown', optional: true, choices: [{name: 'up'}, {name: 'down'}]},
        {name: 'seen', kind: 'DateTime', optional: true},
      ],
    }),
  ],
});
const item = (name: string) => kindToApi(schema, must(kindOf(schema, name), name));
const kindsIn = (list: unknown) => (list as readonly JsonObject[]).map(each => each.kind);

test('the whole schema comes in parts, without the internal ones', () => {
  const api = toApi(schema);
  expect(Object.keys(api)).toEqual(['main', 'nodes', 'generics', 'profiles', 'templates', 'namespaces']);
  expect(api.main).toMatch(/^[0-9a-f]{32}$/);
  expect(kindsIn(api.nodes)).toEqual(expect.arrayContaining(['InfraDevice', 'CoreAccount']));
  expect(kindsIn(api.nodes)).not.toContain('InternalAccountToken');
  expect(kindsIn(api.profiles)).toContain('ProfileInfraDevice');
  expect(api.namespaces).toEqual([
    {name: 'Builtin', user_editable: true},
    {name: 'Core', user_editable: false},
    {name: 'Infra', user_editable: true},
    {name: 'Lineage', user_editable: false},
    {name: 'Profile', user_editable: false},
  ]);
});

test('namespaces narrow the kinds, not the list of namespaces', () => {
  const api = toApi(schema, new Set(['Infra']));
  expect(kindsIn(api.nodes)).toEqual(['InfraDevice']);
  expect(api.profiles).toEqual([]);
  expect(api.namespaces).toHaveLength(5);
  expect(toApi(schema, new Set(['Nowhere'])).nodes).toEqual([]);
});

test('a node carries every key', () => {
  expect(Object.keys(item('InfraDevice')).sort()).toEqual(
    [
      ...[
        'id',
        'state',
        'name',
        'namespace',
        'kind',
        'hash',
        'description',
        'label',
        'branch',
        'default_filter',
      ],
      ...[
        'human_friendly_id',
        'display_label',
        'display_labels',
        'include_in_menu',
        'menu_placement',
        'icon',
      ],
      ...['order_by', 'uniqueness_constraints', 'documentation', 'attributes', 'relationships', 'filters'],
      ...['inherit_from', 'generate_profile', 'generate_template', 'hierarchy', 'parent', 'children'],
    ].sort(),
  );
  expect(item('InfraEndpoint')).toMatchObject({
    hierarchical: false,
    used_by: ['InfraDevice'],
    restricted_namespaces: null,
  });
});

test('inherited fields are in place, parameters shown on both levels', () => {
  const attributes = item('InfraDevice').attributes as readonly JsonObject[];
  expect(attributes.map(each => [each.name, each.inherited])).toContainEqual(['speed', true]);
  expect(attributes[0]).toMatchObject({
    name: 'name',
    regex: '^a',
    parameters: {regex: '^a'},
    min_length: null,
    state: 'present',
  });
  expect(attributes[0]).not.toHaveProperty('declaredBy');
});

test('relationships to internal records are hidden', () => {
  const names = (item('CoreAccount').relationships as readonly JsonObject[]).map(each => each.name);
  expect(names).not.toContain('tokens');
  expect(names).toContain('member_of_groups');
});

test('the summary has the hashes', () => {
  const summary = summaryToApi(schema);
  expect(summary.main).toBe(schema.hash);
  expect(summary.nodes).toMatchObject({InfraDevice: schema.nodes.get('InfraDevice')?.hash});
  expect(summary.nodes).not.toHaveProperty('InternalAccountToken');
  expect(summary.generics).toMatchObject({CoreNode: schema.generics.get('CoreNode')?.hash});
});

test('the JSON Schema of a kind describes its attributes', () => {
  expect(jsonSchemaOf(must(kindOf(schema, 'InfraDevice'), 'kind'))).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Device',
    description: 'A device',
    type: 'object',
    properties: {
      name: {title: 'Name', type: 'string', description: 'Its name'},
      mtu: {title: 'Mtu', type: 'number', default: 1500},
      status: {title: 'Status', type: 'string', enum: ['up', 'down'], default: null},
      seen: {title: 'Seen', type: 'string', format: 'date-time', default: null},
      speed: {title: 'Speed', type: 'string', default: null},
    },
    required: ['name'],
  });
});
