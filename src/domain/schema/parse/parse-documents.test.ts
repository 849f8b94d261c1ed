import {describe, expect, test} from 'vitest';
import {fieldsPerKindMax, kindsMax, listLengthMax, problemsMax} from '../limits.ts';
import type {DocumentProblem} from '../problem.ts';
import {parseSchemaDocuments} from './parse-documents.ts';

const BASE = ['body', 'schemas'];

function problemsIn(schemas: unknown): readonly DocumentProblem[] {
  const parsed = parseSchemaDocuments(schemas, BASE);
  return parsed.ok ? [] : parsed.problems;
}

const found = (schemas: unknown) => problemsIn(schemas).map(({loc, type}) => [loc.slice(2).join('.'), type]);

const root = (rest: object) => [{version: '1.0', ...rest}];
const device = (rest: object) => root({nodes: [{namespace: 'Infra', name: 'Device', ...rest}]});
const attribute = (rest: object) => device({attributes: [{name: 'name', kind: 'Text', ...rest}]});
const relationship = (rest: object) => device({relationships: [{name: 'tags', peer: 'BuiltinTag', ...rest}]});

describe('the shape of a request', () => {
  test.each([
    [undefined, 'missing'],
    [{}, 'list_type'],
    ['text', 'list_type'],
    [[], 'too_short'],
  ])('%o in place of the schemas is refused', (schemas, type) => {
    expect(problemsIn(schemas)).toEqual([{loc: BASE, type, message: expect.any(String)}]);
  });

  test('a root needs a version, and it must be a text', () => {
    expect(found([{nodes: []}])).toEqual([['0.version', 'missing']]);
    expect(found([{version: 1.0}])).toEqual([['0.version', 'string_type']]);
    expect(found([null])).toEqual([['0', 'dict_type']]);
  });

  test('unknown keys are refused at every level', () => {
    expect(found(root({edges: []}))).toEqual([['0.edges', 'extra_forbidden']]);
    expect(found(device({colour: 'red'}))).toEqual([['0.nodes.0.colour', 'extra_forbidden']]);
    expect(found(attribute({colour: 'red'}))).toEqual([['0.nodes.0.attributes.0.colour', 'extra_forbidden']]);
    expect(found(attribute({parameters: {colour: 'red'}}))).toEqual([
      ['0.nodes.0.attributes.0.parameters.colour', 'extra_forbidden'],
    ]);
    expect(found(root({extensions: {generics: []}}))).toEqual([['0.extensions.generics', 'extra_forbidden']]);
  });

  test('an unknown key that is nearly a known one is put right', () => {
    expect(problemsIn(attribute({defaultValue: 1}))[0]?.message).toContain('did you mean default_value?');
  });

  test('a key from the prototype chain is as unknown as any other', () => {
    const json = '{"namespace": "Infra", "name": "Device", "__proto__": {"label": "x"}, "constructor": 1}';
    expect(found(root({nodes: [JSON.parse(json)]})).map(([, type]) => type)).toEqual([
      'extra_forbidden',
      'extra_forbidden',
    ]);
  });

  test('every problem is told at once, each at its place with a sentence', () => {
    const schemas = [
      {
        version: '1.0',
        nodes: [
          {namespace: 'infra', name: 'Device', label: 5, attributes: [{name: 'Name'}]},
          {name: 'Site', namespace: 'Infra', relationships: [{peer: 'InfraDevice', cardinality: 'two'}]},
        ],
        generics: {},
      },
    ];
    expect(found(schemas)).toEqual([
      ['0.nodes.0.namespace', 'string_pattern_mismatch'],
      ['0.nodes.0.label', 'string_type'],
      ['0.nodes.0.attributes.0.name', 'string_pattern_mismatch'],
      ['0.nodes.0.attributes.0.kind', 'missing'],
      ['0.nodes.1.relationships.0.cardinality', 'enum'],
      ['0.nodes.1.relationships.0.name', 'missing'],
      ['0.generics', 'list_type'],
    ]);
    for (const {message} of problemsIn(schemas)) expect(message.length).toBeGreaterThan(10);
  });

  test('a flood of problems is cut off and counted', () => {
    const nodes = Array.from({length: 5000}, () => ({}));
    const problems = problemsIn(root({nodes}));
    expect(problems).toHaveLength(problemsMax + 1);
    expect(problems.at(-1)?.message).toContain('9000 more');
  });
});

describe('sizes', () => {
  test.each([
    ['nodes', root({nodes: Array.from({length: kindsMax + 1})}), '0.nodes'],
    ['attributes', device({attributes: Array.from({length: fieldsPerKindMax + 1})}), '0.nodes.0.attributes'],
    [
      'choices',
      attribute({choices: Array.from({length: listLengthMax + 1})}),
      '0.nodes.0.attributes.0.choices',
    ],
    ['paths', device({order_by: Array.from({length: listLengthMax + 1})}), '0.nodes.0.order_by'],
  ])('a list of too many %s is refused unread', (_, schemas, path) => {
    expect(found(schemas)).toEqual([[path, 'too_long']]);
  });
});

describe('names', () => {
  test.each(['Device', 'L2', 'IPv6Prefix', 'A'.padEnd(32, 'b')])('a node may be called %s', name => {
    expect(found(root({nodes: [{namespace: 'Infra', name}]}))).toEqual([]);
  });

  test.each([
    'device',
    'D',
    'De vice',
    'Gerät',
    "D'; DROP TABLE node;--",
    'None',
    'True',
    'A'.padEnd(33, 'b'),
    '',
  ])('a node may not be called %s', name => {
    expect(found(root({nodes: [{namespace: 'Infra', name}]}))).toHaveLength(1);
  });

  test.each(['infra', 'INFRA', 'In', 'InFra', 'Infra_'])('%s is no namespace', namespace => {
    expect(found(root({nodes: [{namespace, name: 'Device'}]}))).toHaveLength(1);
  });

  test.each(['name', 'vlan_id', 'ipv4', 'x25'])('a field may be called %s', name => {
    expect(found(attribute({name}))).toEqual([]);
  });

  test.each(['ab', 'Name', 'na-me', 'naïve', '__proto__', 'a__b', '4ever', '_name', 'a'.padEnd(33, 'b')])(
    'a field may not be called %s',
    name => {
      expect(found(attribute({name}))).toHaveLength(1);
      expect(found(relationship({name}))).toHaveLength(1);
    },
  );
});

describe('properties', () => {
  test.each([
    {kind: 'Number', default_value: 5},
    {kind: 'Dropdown', choices: [{name: 'up', color: '#FFAA00', label: 'Up', description: 'Runs'}]},
    {regex: '^a', min_length: 1, max_length: 5},
    {computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ name__value }}'}},
    {inherited: true, state: 'present', deprecation: 'Use title', display: 'hidden', label: null},
  ])('an attribute with %o is fine', rest => {
    expect(found(attribute(rest))).toEqual([]);
  });

  test.each([
    [{kind: 'Colour'}, 'kind', 'enum'],
    [{optional: 'yes'}, 'optional', 'bool_type'],
    [{unique: 1}, 'unique', 'bool_type'],
    [{enum: 'a,b'}, 'enum', 'list_type'],
    [{choices: [{label: 'Up'}]}, 'choices.0.name', 'missing'],
    [{choices: [{name: 'up', color: 'red'}]}, 'choices.0.color', 'string_pattern_mismatch'],
    [{min_length: -1}, 'min_length', 'greater_than_equal'],
    [{min_length: 1.5}, 'min_length', 'int_type'],
    [{branch: 'global'}, 'branch', 'enum'],
    [{description: 'x'.repeat(129)}, 'description', 'string_too_long'],
    [{label: 'x'.repeat(33)}, 'label', 'string_too_long'],
    [{computed_attribute: {kind: 'Jinja2'}}, 'computed_attribute.jinja2_template', 'missing'],
    [{default_value: JSON.parse('['.repeat(200) + ']'.repeat(200))}, 'default_value', 'value_error'],
  ])('an attribute with %o is refused', (rest, path, type) => {
    expect(found(attribute(rest))).toEqual([[`0.nodes.0.attributes.0.${path}`, type]]);
  });

  test.each([
    [{kind: 'Group'}, 'kind', 'enum'],
    [{peer: 'infra'}, 'peer', 'string_pattern_mismatch'],
    [{direction: 'up'}, 'direction', 'enum'],
    [{on_delete: 'restrict'}, 'on_delete', 'enum'],
    [{max_count: '5'}, 'max_count', 'int_type'],
    [{identifier: 'Device Tags'}, 'identifier', 'string_pattern_mismatch'],
  ])('a relationship with %o is refused', (rest, path, type) => {
    expect(found(relationship(rest))).toEqual([[`0.nodes.0.relationships.0.${path}`, type]]);
  });

  test('an entry that removes a field needs only its name', () => {
    const attributes = [{name: 'name', state: 'absent'}];
    expect(found(device({attributes, relationships: [{name: 'tags', state: 'absent'}]}))).toEqual([]);
  });

  test('lengths beside the parameters are the same as in them, and parameters win', () => {
    const parsed = parseSchemaDocuments(
      attribute({max_length: 9, min_length: 2, parameters: {max_length: 5}}),
      BASE,
    );
    expect(parsed.ok && parsed.document.nodes[0]?.attributes[0]?.parameters).toEqual({
      max_length: 5,
      min_length: 2,
    });
  });

  test('colours are kept in small letters', () => {
    const parsed = parseSchemaDocuments(
      attribute({kind: 'Dropdown', choices: [{name: 'up', color: '#FFAA00'}]}),
      BASE,
    );
    expect(parsed.ok && parsed.document.nodes[0]?.attributes[0]?.choices).toEqual([
      {name: 'up', color: '#ffaa00'},
    ]);
  });
});

describe('entries about one thing', () => {
  const rootOf = (node: object) => ({version: '1.0', nodes: [{namespace: 'Infra', name: 'Device', ...node}]});

  test('a kind twice in one root is refused', () => {
    const nodes = [
      {namespace: 'Infra', name: 'Device'},
      {namespace: 'Infra', name: 'Device'},
    ];
    expect(found(root({nodes}))).toEqual([['0.nodes.1.name', 'duplicate']]);
  });

  test('a field twice on one kind is refused, as attribute and relationship too', () => {
    const attributes = [{name: 'site', kind: 'Text'}];
    expect(found(device({attributes: [...attributes, ...attributes]}))).toEqual([
      ['0.nodes.0.attributes.1.name', 'duplicate'],
    ]);
    expect(found(device({attributes, relationships: [{name: 'site', peer: 'BuiltinTag'}]}))).toEqual([
      ['0.nodes.0.relationships.0.name', 'duplicate'],
    ]);
  });

  test('a kind in two roots becomes one entry', () => {
    const schemas = [
      rootOf({attributes: [{name: 'name', kind: 'Text'}]}),
      rootOf({
        label: 'Box',
        attributes: [
          {name: 'name', kind: 'Text', unique: true},
          {name: 'role', kind: 'Text'},
        ],
      }),
    ];
    const parsed = parseSchemaDocuments(schemas, BASE);
    expect(parsed.ok && parsed.document.nodes).toMatchObject([
      {label: 'Box', attributes: [{name: 'name', unique: true}, {name: 'role'}]},
    ]);
  });

  test('two roots that contradict each other are refused where the second one does', () => {
    expect(found([rootOf({label: 'Box'}), rootOf({label: 'Case'})])).toEqual([
      ['1.nodes.0.label', 'conflict'],
    ]);
    const kinds = ['Text', 'Number'].map(kind => rootOf({attributes: [{name: 'name', kind}]}));
    expect(found(kinds)).toEqual([['1.nodes.0.attributes.0.kind', 'conflict']]);
  });

  test('extensions of one kind may stand in several entries', () => {
    const nodes = ['phone', 'room'].map(name => ({kind: 'CoreAccount', attributes: [{name, kind: 'Text'}]}));
    const parsed = parseSchemaDocuments(root({extensions: {nodes}}), BASE);
    expect(parsed.ok && parsed.document.extensions).toMatchObject([
      {attributes: [{name: 'phone'}, {name: 'room'}]},
    ]);
  });
});
