import {expect, test} from 'vitest';
import {diffSchemas} from './diff-schemas.ts';
import {node, type Root, schemaOf, sourceOf, text} from './test-support/load.ts';

const EMPTY = {added: {}, changed: {}, removed: {}};

const diff = (before: Root, ...loads: readonly Root[]) =>
  diffSchemas(schemaOf(before), schemaOf(before, ...loads));

const device = (attributes: readonly object[], rest: object = {}): Root => ({
  nodes: [node('Device', {attributes, ...rest})],
});

test('an unchanged schema has an empty diff', () => {
  expect(diff(device([text('name')]), device([text('name')]))).toEqual(EMPTY);
});

test('added and removed kinds stand on their own', () => {
  expect(diff({}, {nodes: [node('Rack')]})).toEqual({...EMPTY, added: {InfraRack: EMPTY}});
  expect(diff({nodes: [node('Rack')]}, {nodes: [node('Rack', {state: 'absent'})]})).toEqual({
    ...EMPTY,
    removed: {InfraRack: null},
  });
});

test('fields that come, change and go are listed under their kind', () => {
  const after = device([
    text('name', {optional: true}),
    {name: 'role', state: 'absent'},
    {name: 'mtu', kind: 'Number', optional: true},
  ]);
  expect(diff(device([text('name'), text('role')]), after)).toEqual({
    ...EMPTY,
    changed: {
      InfraDevice: {
        ...EMPTY,
        changed: {
          attributes: {
            added: {mtu: null},
            changed: {name: {...EMPTY, changed: {optional: null}}},
            removed: {role: null},
          },
        },
      },
    },
  });
});

test('properties of a kind are listed by name', () => {
  const {changed} = diff(device([]), device([], {label: 'Box', icon: 'mdi:box'}));
  expect(changed).toEqual({InfraDevice: {...EMPTY, changed: {label: null, icon: null}}});
});

test('a change of a generic lists its heirs', () => {
  const before = {generics: [node('Endpoint')], nodes: [node('Port', {inherit_from: ['InfraEndpoint']})]};
  const after = {generics: [node('Endpoint', {attributes: [text('speed')]})]};
  expect(Object.keys(diff(before, after).changed)).toEqual(['InfraPort', 'InfraEndpoint']);
});

test('what is renamed shows under its new name', () => {
  const before = device([text('name')]);
  const kind = sourceOf(before).kinds.get('InfraDevice');
  const renamed = {
    nodes: [node('Box', {id: kind?.id, attributes: [text('title', {id: kind?.attributes[0]?.id})]})],
  };
  const {added, changed, removed} = diff(before, renamed);
  expect([added, removed]).toEqual([{}, {}]);
  expect(changed).toMatchObject({
    InfraBox: {
      changed: {
        name: null,
        attributes: {...EMPTY, changed: {title: {...EMPTY, changed: {name: null, label: null}}}},
      },
    },
  });
});

test('what was removed and added again shows as both', () => {
  const gone = device([{name: 'name', state: 'absent'}]);
  const {changed} = diff(device([text('name')]), gone, device([text('name')]));
  expect(changed).toMatchObject({
    InfraDevice: {changed: {attributes: {added: {name: null}, removed: {name: null}}}},
  });
});

test('derived kinds are left out', () => {
  const names = Object.keys(diff({}, {nodes: [node('Rack', {generate_template: true})]}).added);
  expect(names).toEqual(['InfraRack']);
});
