import {describe, expect, test} from 'vitest';
import {must} from '../../../base/assert.ts';
import {mergeSources} from '../merge/merge-sources.ts';
import {deriveSchema} from '../process/process-schema.ts';
import {node, type Root, schemaOf, sourceOf, text} from '../test-support/load.ts';
import type {SchemaChange} from './changes.ts';
import {classifyChanges} from './classify-changes.ts';

const changes = (before: Root, ...loads: readonly Root[]) =>
  classifyChanges(schemaOf(before), schemaOf(before, ...loads));

/** Those that concern the nodes themselves, not what is derived from them. */
const onNodes = (before: Root, ...loads: readonly Root[]): readonly SchemaChange[] =>
  changes(before, ...loads).filter(change => !('kind' in change) || !/^(Profile|Template)/.test(change.kind));

const device = (attributes: readonly object[] = [], rest: object = {}): Root => ({
  nodes: [node('Device', {attributes, ...rest}), node('Site', {attributes: [text('name')]})],
});
const related = (rest: object): Root =>
  device([], {relationships: [{name: 'site', peer: 'InfraSite', ...rest}]});

test('no change asks for nothing, whatever else differs', () => {
  expect(changes(device([text('name')]), device([text('name')]))).toEqual([]);
  expect(
    changes(
      device([text('name')]),
      device([text('name', {label: 'Host', description: 'x', order_weight: 5})], {icon: 'a'}),
    ),
  ).toEqual([]);
});

describe('kinds', () => {
  test('come, go and are renamed', () => {
    expect(onNodes({}, {nodes: [node('Rack')]})).toEqual([{is: 'kind-added', kind: 'InfraRack'}]);
    expect(onNodes({nodes: [node('Rack')]}, {nodes: [node('Rack', {state: 'absent'})]})).toMatchObject([
      {is: 'kind-removed', kind: 'InfraRack'},
    ]);
    const {id} = must(sourceOf({nodes: [node('Rack')]}).kinds.get('InfraRack'), 'kind');
    expect(changes({nodes: [node('Rack')]}, {nodes: [node('Cabinet', {id})]})).toEqual([
      {is: 'kind-renamed', kind: 'InfraCabinet', from: 'InfraRack'},
      {is: 'kind-renamed', kind: 'ProfileInfraCabinet', from: 'ProfileInfraRack'},
    ]);
  });

  test('that were removed and added again are two', () => {
    const gone = {nodes: [node('Rack', {state: 'absent'})]};
    expect(onNodes({nodes: [node('Rack')]}, gone, {nodes: [node('Rack')]}).map(({is}) => is)).toEqual([
      'kind-added',
      'kind-removed',
    ]);
  });

  test('cannot change where they live', () => {
    expect(onNodes(device(), device([], {branch: 'agnostic'}))[0]).toMatchObject({
      is: 'refused',
      problem: {path: 'InfraDevice.branch'},
    });
  });

  test('join and leave generics', () => {
    const inherits = {
      generics: [node('Endpoint')],
      nodes: [node('Device', {inherit_from: ['InfraEndpoint']})],
    };
    const constraint = 'node.inherit_from.update';
    expect(onNodes({...device(), generics: [node('Endpoint')]}, inherits)).toEqual([
      {is: 'generics-changed', kind: 'InfraDevice', added: ['InfraEndpoint'], removed: [], constraint},
    ]);
    expect(onNodes(inherits, {nodes: [node('Device', {inherit_from: []})]})).toEqual([
      {is: 'generics-changed', kind: 'InfraDevice', added: [], removed: ['InfraEndpoint'], constraint},
    ]);
    const {id} = must(sourceOf(inherits).kinds.get('InfraEndpoint'), 'generic');
    expect(onNodes(inherits, {generics: [node('Socket', {id})]})).toEqual([]);
  });

  test('lose their profiles only when there are none', () => {
    expect(changes(device(), {nodes: [node('Device', {generate_profile: false})]})).toEqual([
      {
        is: 'profile-dropped',
        kind: 'InfraDevice',
        profile: 'ProfileInfraDevice',
        constraint: 'node.generate_profile.update',
      },
    ]);
  });

  test('change their place in a hierarchy', () => {
    const city = (rest: object) => ({
      generics: [node('Location', {hierarchical: true})],
      nodes: [node('City', {inherit_from: ['InfraLocation'], ...rest})],
    });
    expect(onNodes(city({}), city({parent: ''}))).toEqual([
      {
        is: 'hierarchy-changed',
        kind: 'InfraCity',
        relationship: 'parent',
        allowed: '',
        constraint: 'node.parent.update',
      },
    ]);
  });
});

describe('attributes', () => {
  test.each([
    [text('role'), true],
    [text('role', {optional: true}), false],
    [text('role', {default_value: 'leaf'}), false],
  ])('an added one needs a value when nothing could fill it: %o', (attribute, needsValue) => {
    expect(onNodes(device(), device([attribute]))).toMatchObject([
      {
        is: 'attribute-added',
        kind: 'InfraDevice',
        attribute: {name: 'role'},
        needsValue,
        constraint: 'node.attribute.add',
      },
    ]);
  });

  test('come to profiles too', () => {
    expect(
      changes(device(), device([text('role', {optional: true})])).map(
        change => 'kind' in change && change.kind,
      ),
    ).toEqual(['InfraDevice', 'ProfileInfraDevice']);
  });

  test('go and are renamed', () => {
    const before = device([text('name')]);
    expect(onNodes(before, device([{name: 'name', state: 'absent'}]))).toMatchObject([
      {is: 'attribute-removed', kind: 'InfraDevice', attribute: {name: 'name'}},
    ]);
    const id = sourceOf(before).kinds.get('InfraDevice')?.attributes[0]?.id;
    expect(onNodes(before, device([text('title', {id})]))).toMatchObject([
      {is: 'attribute-renamed', kind: 'InfraDevice', attribute: {name: 'title', id}, from: 'name'},
    ]);
  });

  test('that were removed and added again start anew', () => {
    const gone = device([{name: 'name', state: 'absent'}]);
    expect(onNodes(device([text('name')]), gone, device([text('name')])).map(({is}) => is)).toEqual([
      'attribute-added',
      'attribute-removed',
    ]);
  });

  test('move when another generic comes to supply them', () => {
    const generic = (name: string) => node(name, {attributes: [text('speed')]});
    const inherits = (...inherit_from: readonly string[]) => ({
      generics: [generic('One'), generic('Two')],
      nodes: [node('Port', {inherit_from})],
    });
    expect(onNodes(inherits('InfraOne', 'InfraTwo'), inherits('InfraTwo', 'InfraOne'))).toMatchObject([
      {is: 'attribute-moved', attribute: {declaredBy: 'InfraTwo'}, before: {declaredBy: 'InfraOne'}},
    ]);
  });

  test('of a generic concern each heir', () => {
    const before = {
      generics: [node('Endpoint')],
      nodes: [
        node('Port', {inherit_from: ['InfraEndpoint']}),
        node('Link', {inherit_from: ['InfraEndpoint']}),
      ],
    };
    const added = {generics: [node('Endpoint', {attributes: [text('speed', {optional: true})]})]};
    expect(onNodes(before, added)).toMatchObject([{kind: 'InfraPort'}, {kind: 'InfraLink'}]);
  });

  test('change their kind', () => {
    expect(onNodes(device([text('size')]), device([{name: 'size', kind: 'Number'}]))).toMatchObject([
      {
        is: 'attribute-kind-changed',
        kind: 'InfraDevice',
        attribute: {kind: 'Number'},
        from: 'Text',
        constraint: 'attribute.kind.update',
      },
    ]);
  });

  test('become mandatory, or optional, which nobody need check', () => {
    expect(onNodes(device([text('name', {optional: true})]), device([text('name')]))).toMatchObject([
      {is: 'attribute-made-mandatory', constraint: 'attribute.optional.update'},
    ]);
    expect(onNodes(device([text('name')]), device([text('name', {optional: true})]))).toEqual([]);
  });

  test.each([
    ['a regular expression', text('f00', {regex: '^a'}), 'attribute.regex.update'],
    ['a minimum length', text('f00', {parameters: {min_length: 5}}), 'attribute.min_length.update'],
    ['a maximum length', text('f00', {parameters: {max_length: 2}}), 'attribute.max_length.update'],
    ['an enum', text('f00', {enum: ['a']}), 'attribute.enum.update'],
  ])('%s must hold for what is there', (_, attribute, constraint) => {
    expect(onNodes(device([text('f00')]), device([attribute]))).toMatchObject([
      {is: 'attribute-tightened', constraint},
    ]);
  });

  test('bounds of a number must hold for what is there', () => {
    const number = (parameters: object) => device([{name: 'size', kind: 'Number', parameters}]);
    expect(onNodes(number({max_value: 9}), number({max_value: 5}))).toMatchObject([
      {constraint: 'attribute.parameters.max_value.update', property: 'max_value'},
    ]);
    expect(onNodes(number({max_value: 5}), number({max_value: 9}))).toEqual([]);
    expect(onNodes(number({}), number({excluded_values: '1'}))).toMatchObject([
      {constraint: 'attribute.parameters.excluded_values.update'},
    ]);
  });

  test('a list of values that only grows needs no look; one that shrinks does', () => {
    const status = (...names: readonly string[]) =>
      device([{name: 'status', kind: 'Dropdown', choices: names.map(name => ({name}))}]);
    expect(onNodes(status('up'), status('up', 'down'))).toEqual([]);
    expect(onNodes(status('up', 'down'), status('up'))).toMatchObject([
      {constraint: 'attribute.choices.update'},
    ]);
    const size = (members: readonly number[]) => device([{name: 'size', kind: 'Number', enum: members}]);
    expect(onNodes(size([1]), size([2, 1]))).toEqual([]);
    expect(onNodes(size([1, 2]), size([2]))).toMatchObject([{constraint: 'attribute.enum.update'}]);
  });

  test('cannot change where they live', () => {
    expect(onNodes(device([text('name')]), device([text('name', {branch: 'local'})]))[0]).toMatchObject({
      is: 'refused',
      problem: {path: 'InfraDevice.name.branch'},
    });
  });
});

describe('uniqueness', () => {
  test('that is added must hold, in its whole scope, and is asked for once', () => {
    expect(onNodes(device([text('name')]), device([text('name', {unique: true})]))).toMatchObject([
      {
        is: 'uniqueness-added',
        kind: 'InfraDevice',
        constraint: 'attribute.unique.update',
        uniqueness: {paths: ['name__value']},
      },
    ]);
    const heirs = (unique: boolean) => ({
      generics: [node('Endpoint', {attributes: [text('name', {unique})]})],
      nodes: [
        node('Port', {inherit_from: ['InfraEndpoint']}),
        node('Link', {inherit_from: ['InfraEndpoint']}),
      ],
    });
    expect(onNodes(heirs(false), heirs(true))).toMatchObject([
      {is: 'uniqueness-added', kind: 'InfraEndpoint'},
    ]);
  });

  test('of several fields has a name of its own', () => {
    const fields = [text('name'), text('role')];
    const after = device(fields, {uniqueness_constraints: [['name__value', 'role__value']]});
    expect(onNodes(device(fields), after)).toMatchObject([
      {constraint: 'node.uniqueness_constraints.update'},
    ]);
  });

  test('that is lifted, or belongs to a new kind, asks for nothing', () => {
    expect(onNodes(device([text('name', {unique: true})]), device([text('name')]))).toEqual([]);
    const rack = {nodes: [node('Rack', {attributes: [text('name', {unique: true})]})]};
    expect(onNodes({}, rack).map(({is}) => is)).toEqual(['kind-added']);
  });

  test('is asked for when a kind joins a generic that has it', () => {
    const endpoint = {
      generics: [node('Endpoint', {uniqueness_constraints: [['name__value']], attributes: [text('name')]})],
    };
    const joined = {
      nodes: [node('Site', {inherit_from: ['InfraEndpoint'], attributes: [text('name', {unique: true})]})],
    };
    expect(onNodes({...device(), ...endpoint}, joined)).toContainEqual(
      expect.objectContaining({is: 'uniqueness-added', kind: 'InfraEndpoint'}),
    );
  });
});

describe('relationships', () => {
  test.each([
    [{optional: false}, true],
    [{}, false],
  ])('an added one with %o needs a peer: %s', (rest, needsPeer) => {
    expect(onNodes(device(), related(rest))).toMatchObject([
      {is: 'relationship-added', needsPeer, constraint: 'node.relationship.add'},
    ]);
  });

  test('go without a trace', () => {
    const removal = device([], {relationships: [{name: 'site', state: 'absent'}]});
    expect(onNodes(related({}), removal)).toMatchObject([
      {is: 'relationship-removed', relationship: {name: 'site'}},
    ]);
  });

  test.each([
    [{}, {cardinality: 'one'}, 'relationship.cardinality.update'],
    [{}, {optional: false}, 'relationship.optional.update'],
    [{}, {max_count: 4}, 'relationship.max_count.update'],
    [{min_count: 1}, {min_count: 2}, 'relationship.min_count.update'],
  ])('%o to %o must hold for what is there', (before, after, constraint) => {
    expect(onNodes(related(before), related(after))).toMatchObject([
      {is: 'relationship-counts-tightened', constraint},
    ]);
  });

  test.each([
    [{cardinality: 'one'}, {}],
    [{optional: false}, {}],
    [{max_count: 4}, {max_count: 5}],
    [{max_count: 4}, {}],
  ])('%o to %o needs no look', (before, after) => {
    expect(onNodes(related(before), related(after))).toEqual([]);
  });

  test('lead elsewhere', () => {
    expect(onNodes(related({}), related({peer: 'BuiltinTag'}))).toMatchObject([
      {is: 'relationship-peer-changed', from: 'InfraSite', constraint: 'relationship.peer.update'},
    ]);
    const {id} = must(sourceOf(related({})).kinds.get('InfraSite'), 'kind');
    expect(onNodes(related({}), {nodes: [node('Place', {id})]}).map(({is}) => is)).toEqual(['kind-renamed']);
  });

  test('cannot turn round', () => {
    expect(onNodes(related({}), related({direction: 'outbound'}))[0]).toMatchObject({
      is: 'refused',
      problem: {path: 'InfraDevice.site.direction'},
    });
  });
});

test('a merge is classified like a load', () => {
  const base = sourceOf(device([text('name')]));
  const ours = sourceOf(device([text('name')]), device([text('role', {optional: true})]));
  const theirs = sourceOf(device([text('name')]), device([text('name', {unique: true})]));
  const merged = deriveSchema(mergeSources(base, ours, theirs).source);
  const found = classifyChanges(deriveSchema(ours), merged).filter(
    change => 'kind' in change && change.kind === 'InfraDevice',
  );
  expect(found).toMatchObject([{is: 'uniqueness-added'}]);
});
