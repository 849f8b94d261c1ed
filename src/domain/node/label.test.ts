import {describe, expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {kindOf} from '../schema/lookup.ts';
import type {KindSchema} from '../schema/schema.ts';
import {node, schemaOf, text} from '../schema/test-support/load.ts';
import {displayLabel, hfidOf, hfidPaths, labelPaths} from './label.ts';

const site = node('Site', {attributes: [text('name', {unique: true})]});
const attributes = [text('name', {optional: true}), {name: 'slot', kind: 'Number', optional: true}];
const relationships = [{name: 'site', peer: 'InfraSite', cardinality: 'one', optional: false}];

function kindWith(rest: object): KindSchema {
  const schema = schemaOf({nodes: [site, node('Device', {attributes, relationships, ...rest})]});
  return must(kindOf(schema, 'InfraDevice'), 'the kind');
}

const at = (values: Readonly<Record<string, Json>>) => (path: string) => {
  const value = values[path];
  if (value === undefined) throw new Error(`nobody said that ${path} is needed`);
  return value;
};

describe('the label of an object', () => {
  test('joins the labels of its kind, and leaves out what has no value', () => {
    const kind = kindWith({display_labels: ['name__value', 'slot']});
    expect(labelPaths(kind)).toEqual(['name__value', 'slot__value']);
    expect(displayLabel(kind, at({name__value: 'r1', slot__value: 3}))).toBe('r1 3');
    expect(displayLabel(kind, at({name__value: null, slot__value: 0}))).toBe('0');
    expect(displayLabel(kind, at({name__value: null, slot__value: null}))).toBe('');
  });

  test('may be one path, also to an attribute of a peer', () => {
    const kind = kindWith({display_label: 'site__name'});
    expect(labelPaths(kind)).toEqual(['site__name__value']);
    expect(displayLabel(kind, at({site__name__value: 'atl1'}))).toBe('atl1');
  });

  test('may be a template over its own attributes and those of peers', () => {
    const kind = kindWith({display_label: '{{ name__value | upper }} @ {{ site__name__value }}'});
    expect(new Set(labelPaths(kind))).toEqual(new Set(['name__value', 'site__name__value']));
    expect(displayLabel(kind, at({name__value: 'r1', site__name__value: 'atl1'}))).toBe('R1 @ atl1');
  });

  test('is the kind and the id where there is nothing else, or the template fails', () => {
    expect(displayLabel(kindWith({}), at({id: 'abc'}))).toBe('InfraDevice(ID: abc)');
    const failing = kindWith({display_label: '{{ 1 / slot__value }}'});
    expect(displayLabel(failing, at({id: 'abc', slot__value: 0}))).toBe('InfraDevice(ID: abc)');
  });
});

describe('the human-friendly id of an object', () => {
  test('has its parts as texts, in the order of the schema', () => {
    const kind = kindWith({human_friendly_id: ['site__name__value', 'slot__value']});
    expect(hfidPaths(kind)).toEqual(['site__name__value', 'slot__value']);
    expect(hfidOf(kind, at({site__name__value: 'atl1', slot__value: 3}))).toEqual(['atl1', '3']);
  });

  test('is none where the kind has none, or a part has no value', () => {
    expect(hfidOf(kindWith({}), at({}))).toBe(null);
    const kind = kindWith({human_friendly_id: ['name__value', 'slot__value']});
    expect(hfidOf(kind, at({name__value: 'r1', slot__value: null}))).toBe(null);
  });
});
