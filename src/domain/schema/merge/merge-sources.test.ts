import {describe, expect, test} from 'vitest';
import {must} from '../../../base/assert.ts';
import {layDocument} from '../apply/lay-document.ts';
import {processSchema} from '../process/process-schema.ts';
import type {KindDefinition, NodeDefinition, SchemaSource} from '../source.ts';
import {documentOf, node, type Root, sourceOf, text} from '../test-support/load.ts';
import {mergeSources} from './merge-sources.ts';

const on = (source: SchemaSource, ...loads: readonly Root[]): SchemaSource =>
  loads.reduce((now, root) => layDocument(now, documentOf(root)).source, source);

const device = (attributes: readonly object[] = [], rest: object = {}): Root => ({
  nodes: [node('Device', {attributes, ...rest})],
});

function merged(base: Root, ours: readonly Root[], theirs: readonly Root[]) {
  const source = sourceOf(base);
  return mergeSources(source, on(source, ...ours), on(source, ...theirs));
}

const kindIn = (source: SchemaSource, name = 'InfraDevice'): KindDefinition =>
  must(source.kinds.get(name), name);

describe('what unites without a conflict', () => {
  test('different attributes', () => {
    const {source, conflicts} = merged(
      device([text('name')]),
      [device([text('role')])],
      [device([text('mtu')])],
    );
    expect(conflicts).toEqual([]);
    expect(kindIn(source).attributes.map(({name}) => name)).toEqual(['name', 'mtu', 'role']);
    expect(processSchema(source).problems).toEqual([]);
  });

  test('different choices of a dropdown', () => {
    const status = (...names: readonly string[]) =>
      device([{name: 'status', kind: 'Dropdown', choices: names.map(name => ({name}))}]);
    const {source, conflicts} = merged(
      status('up', 'down'),
      [status('up', 'down', 'new')],
      [status('up', 'old')],
    );
    expect(conflicts).toEqual([]);
    expect(kindIn(source).attributes[0]?.choices?.map(({name}) => name)).toEqual(['up', 'new', 'old']);
  });

  test('different values of an enum, generics and constraints', () => {
    const generics = [node('One'), node('Two')];
    const shaped = (
      members: readonly number[],
      inherit_from: readonly string[],
      constraint: readonly string[],
    ): Root => ({
      generics,
      nodes: [
        node('Device', {
          inherit_from,
          uniqueness_constraints: [constraint],
          attributes: [text('name'), text('role'), {name: 'size', kind: 'Number', enum: members}],
        }),
      ],
    });
    const {source, conflicts} = merged(
      shaped([1], [], ['name__value', 'size__value']),
      [shaped([1, 2], ['InfraOne'], ['name__value', 'role__value'])],
      [shaped([1, 3], ['InfraTwo'], ['role__value', 'size__value'])],
    );
    expect(conflicts).toEqual([]);
    expect(kindIn(source)).toMatchObject({
      inherit_from: ['InfraOne', 'InfraTwo'],
      uniqueness_constraints: [
        ['name__value', 'role__value'],
        ['role__value', 'size__value'],
      ],
    });
    expect(kindIn(source).attributes[2]?.enum).toEqual([1, 2, 3]);
  });

  test('different properties of one attribute, and different parameters', () => {
    const name = (rest: object) => [device([text('name', rest)])];
    const {source, conflicts} = merged(
      device([text('name')]),
      name({optional: true, parameters: {min_length: 2}}),
      name({label: 'Host', parameters: {max_length: 9}}),
    );
    expect(conflicts).toEqual([]);
    expect(kindIn(source).attributes[0]).toMatchObject({
      optional: true,
      label: 'Host',
      parameters: {min_length: 2, max_length: 9},
    });
  });

  test('the same change on both sides', () => {
    const change = [device([text('name', {label: 'Host'}), text('role')], {icon: 'mdi:box'})];
    const {source, conflicts} = merged(device([text('name')]), change, change);
    expect(conflicts).toEqual([]);
    expect(source).toEqual(sourceOf(device([text('name')]), ...change));
  });

  test('the same kind born twice with different fields', () => {
    const rack = (...attributes: readonly object[]): Root => ({nodes: [node('Rack', {attributes})]});
    const {source, conflicts} = merged(
      {},
      [rack(text('name'), text('row'))],
      [rack(text('name'), text('height'))],
    );
    expect(conflicts).toEqual([]);
    expect(
      kindIn(source, 'InfraRack')
        .attributes.map(({name}) => name)
        .sort(),
    ).toEqual(['height', 'name', 'row']);
  });

  test('a rename on one side and a change on the other', () => {
    const base = device([text('name')]);
    const {id, attributes} = kindIn(sourceOf(base));
    const rename = {nodes: [node('Box', {id, attributes: [text('title', {id: attributes[0]?.id})]})]};
    const {source, conflicts} = merged(
      base,
      [rename],
      [device([text('name', {optional: true}), text('role')])],
    );
    expect(conflicts).toEqual([]);
    expect(source.kinds.has('InfraDevice')).toBe(false);
    expect(kindIn(source, 'InfraBox').attributes).toMatchObject([
      {name: 'title', optional: true},
      {name: 'role'},
    ]);
  });

  test('a removal on one side and nothing on the other', () => {
    const gone = device([{name: 'role', state: 'absent'}]);
    const {source, conflicts} = merged(device([text('name'), text('role')]), [gone], [device([text('mtu')])]);
    expect(conflicts).toEqual([]);
    expect(kindIn(source).attributes.map(({name}) => name)).toEqual(['name', 'mtu']);
  });
});

describe('conflicts', () => {
  const conflictsOf = (base: Root, ours: Root, theirs: Root) => merged(base, [ours], [theirs]).conflicts;

  test('tell the value on each side', () => {
    const label = (value: string) => device([], {label: value});
    expect(conflictsOf(label('Device'), label('Box'), label('Case'))).toEqual([
      {path: 'InfraDevice.label', base: 'Device', ours: 'Box', theirs: 'Case'},
    ]);
  });

  test('are settled to the chosen side', () => {
    const base = sourceOf(device([], {label: 'Device'}));
    const [ours, theirs] = [on(base, device([], {label: 'Box'})), on(base, device([], {label: 'Case'}))];
    const settled = (side: 'ours' | 'theirs') =>
      kindIn(mergeSources(base, ours, theirs, () => side).source).label;
    expect([settled('ours'), settled('theirs')]).toEqual(['Box', 'Case']);
  });

  test.each([
    [
      'two kinds of one attribute',
      'InfraDevice.size.kind',
      {name: 'size', kind: 'Number'},
      {name: 'size', kind: 'Boolean'},
    ],
    [
      'two lengths',
      'InfraDevice.size.parameters.max_length',
      text('size', {max_length: 5}),
      text('size', {max_length: 9}),
    ],
    [
      'a removal against a change',
      'InfraDevice.size',
      {name: 'size', state: 'absent'},
      text('size', {optional: true}),
    ],
    [
      'a change against a removal',
      'InfraDevice.size',
      text('size', {optional: true}),
      {name: 'size', state: 'absent'},
    ],
  ])('%s', (_, path, ours, theirs) => {
    expect(
      conflictsOf(device([text('size')]), device([ours]), device([theirs])).map(each => each.path),
    ).toEqual([path]);
  });

  test('a kind that one side removes and the other changes', () => {
    const gone = device([], {state: 'absent'});
    expect(conflictsOf(device(), gone, device([text('name')]))).toMatchObject([
      {path: 'InfraDevice', ours: null},
    ]);
    const base = sourceOf(device());
    const kept = mergeSources(base, on(base, gone), on(base, device([text('name')])), () => 'theirs').source;
    expect(kindIn(kept).attributes).toHaveLength(1);
  });

  test('a label that both sides gave to a choice they both added', () => {
    const status = (...choices: readonly object[]) => device([{name: 'status', kind: 'Dropdown', choices}]);
    const up = {name: 'up', color: '#000001'};
    const found = conflictsOf(
      status(up),
      status(up, {name: 'down', label: 'Off'}),
      status(up, {name: 'down', label: 'Dead'}),
    );
    expect(found).toMatchObject([
      {path: 'InfraDevice.status.choices.down.label', ours: 'Off', theirs: 'Dead'},
    ]);
  });

  test('two attributes that came to one name', () => {
    const base = device([text('name')]);
    const id = kindIn(sourceOf(base)).attributes[0]?.id;
    const found = conflictsOf(base, device([text('title', {id})]), device([text('title')]));
    expect(found.map(each => each.path)).toEqual(['InfraDevice.title']);
  });

  test('two kinds that came to one name', () => {
    const {id} = kindIn(sourceOf(device()));
    const found = conflictsOf(device(), {nodes: [node('Box', {id})]}, {nodes: [node('Box')]});
    expect(found.map(each => each.path)).toEqual(['InfraBox']);
  });

  test('lists whose order counts', () => {
    const fields = [text('name'), text('role'), text('mtu')];
    const ordered = (path: string) => device(fields, {order_by: [path]});
    expect(conflictsOf(device(fields), ordered('name__value'), ordered('mtu__value'))).toMatchObject([
      {path: 'InfraDevice.order_by'},
    ]);
  });
});

describe('memory of the past', () => {
  test('a name given up on either side stays given up', () => {
    const gone = device([{name: 'role', state: 'absent'}]);
    const {source} = merged(
      device([text('role')]),
      [gone, device([text('role')]), gone],
      [device([text('mtu')])],
    );
    expect(Object.values(source.retired)).toEqual([2]);
  });

  test('an attribute is late when objects of either side were written without it', () => {
    const role = text('role', {default_value: 'leaf'});
    const {source} = merged(
      device([text('name')]),
      [device([role])],
      [device([text('mtu', {optional: true})])],
    );
    expect(Object.values((kindIn(source) as NodeDefinition).late).sort()).toEqual(['leaf', null]);
  });

  test('a kind born on one side is late for what its generic gained on the other', () => {
    const base = {generics: [node('Endpoint')]};
    const born = {nodes: [node('Port', {inherit_from: ['InfraEndpoint']})]};
    const gained = {generics: [node('Endpoint', {attributes: [text('speed', {default_value: 'slow'})]})]};
    const {source, conflicts} = merged(base, [born], [gained]);
    expect(conflicts).toEqual([]);
    expect(Object.values((kindIn(source, 'InfraPort') as NodeDefinition).late)).toEqual(['slow']);
  });

  test('a kind born twice is late for what one birth lacked', () => {
    const rack = (...attributes: readonly object[]): Root => ({nodes: [node('Rack', {attributes})]});
    const {source} = merged(
      {},
      [rack(text('name'))],
      [rack(text('name'), text('row', {default_value: 'a'}))],
    );
    expect(Object.values((kindIn(source, 'InfraRack') as NodeDefinition).late)).toEqual(['a']);
  });
});
