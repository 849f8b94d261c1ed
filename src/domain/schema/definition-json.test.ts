import {expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import {definitionFromJson, definitionToJson} from './definition-json.ts';
import {node, sourceOf, text} from './test-support/load.ts';

const source = sourceOf(
  {
    nodes: [
      node('Device', {attributes: [text('name')], relationships: [{name: 'tags', peer: 'BuiltinTag'}]}),
    ],
  },
  {nodes: [node('Device', {attributes: [text('role', {default_value: 'leaf'})]})]},
);

test('every definition survives being stored as text', () => {
  for (const definition of source.kinds.values()) {
    expect(definitionFromJson(JSON.parse(JSON.stringify(definitionToJson(definition))))).toEqual(definition);
  }
});

test('a property younger than the stored text has its default', () => {
  const stored = JSON.parse(JSON.stringify(source.kinds.get('InfraDevice')));
  delete stored.generate_template;
  delete stored.attributes[0].display;
  delete stored.relationships[0].common_parent;
  expect(definitionFromJson(stored as Json)).toEqual(source.kinds.get('InfraDevice'));
});

test('what is no definition is not taken for one', () => {
  expect(() => definitionFromJson(null)).toThrow('is an object');
  expect(() => definitionFromJson({type: 'edge', attributes: [], relationships: []})).toThrow(
    'node or a generic',
  );
});
