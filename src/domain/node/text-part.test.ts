import {expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {attributeOf, kindOf} from '../schema/lookup.ts';
import {node, schemaOf} from '../schema/test-support/load.ts';
import {partText, partValue} from './text-part.ts';

const KINDS = ['Text', 'Number', 'Boolean', 'IPHost', 'MacAddress', 'List', 'JSON', 'DateTime', 'Dropdown'];
const attributes = KINDS.map(kind => ({
  name: kind.toLowerCase(),
  kind,
  optional: true,
  ...(kind === 'Dropdown' ? {choices: [{name: 'edge'}]} : {}),
}));
const kind = must(kindOf(schemaOf({nodes: [node('Thing', {attributes})]}), 'InfraThing'), 'the kind');
const attribute = (name: string) => must(attributeOf(kind, name.toLowerCase()), name);

test.each<readonly [string, Json]>([
  ['Text', 'edge 1'],
  ['Dropdown', 'edge'],
  ['Number', -12],
  ['Boolean', false],
  ['IPHost', '10.0.0.1/32'],
  ['MacAddress', 'AA-BB-CC-00-11-22'],
  ['List', ['a', 1]],
  ['JSON', {a: [true]}],
])('the text of a stored %s leads back to it', (name, value) => {
  expect(partValue(attribute(name), 'value', partText(value))).toEqual(value);
});

test.each([
  ['IPHost', '10.0.0.1', '10.0.0.1/32'],
  ['MacAddress', 'aa:bb:cc:00:11:22', 'AA-BB-CC-00-11-22'],
  ['Boolean', 'True', true],
])('a %s is read in any form that people write', (name, text, value) => {
  expect(partValue(attribute(name), 'value', text)).toEqual(value);
});

test.each([
  ['Number', 'twelve'],
  ['Number', '1.5'],
  ['Boolean', 'yes'],
  ['IPHost', 'not an address'],
  ['List', 'not a list'],
])('no %s is read from %s', (name, text) => {
  expect(partValue(attribute(name), 'value', text)).toBeUndefined();
});

test('parts of an address are read as what they are', () => {
  expect(partValue(attribute('IPHost'), 'version', '4')).toBe(4);
  expect(partValue(attribute('IPHost'), 'version', 'four')).toBeUndefined();
  expect(partValue(attribute('IPHost'), 'binary_address', '0101')).toBe('0101');
});
