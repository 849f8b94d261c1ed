import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {attributeParameters} from './attribute-parameters.ts';

const attribute = (kind: string, rest: object) => ({
  nodes: [node('Device', {attributes: [{name: 'field', kind, ...rest}]})],
});
const PATH = 'InfraDevice.field.parameters';

describe('parameters', () => {
  test.each([
    ['Text', {regex: '^[a-z]+$', min_length: 2, max_length: 5}],
    ['TextArea', {max_length: 5}],
    ['List', {regex: '^[a-z]+$'}],
    ['Number', {min_value: -5, max_value: 5, excluded_values: '1,2-4'}],
    ['NumberPool', {start_range: 1, end_range: 10}],
  ])('those of %s are fine on it', (kind, parameters) => {
    expect(pathsRefused(attributeParameters, attribute(kind, {parameters}))).toEqual([]);
  });

  test('those of another kind are refused', () => {
    expect(pathsRefused(attributeParameters, attribute('Text', {parameters: {min_value: 1}}))).toEqual([
      PATH,
    ]);
    expect(pathsRefused(attributeParameters, attribute('Number', {regex: 'a'}))).toEqual([PATH]);
    expect(pathsRefused(attributeParameters, attribute('Boolean', {min_length: 1}))).toEqual([PATH]);
  });

  test('a regular expression that cannot be read is refused', () => {
    expect(pathsRefused(attributeParameters, attribute('Text', {regex: '[a-z'}))).toEqual([PATH]);
  });

  test('bounds in the wrong order are refused', () => {
    const lengths = {min_length: 5, max_length: 2};
    expect(pathsRefused(attributeParameters, attribute('Text', {parameters: lengths}))).toEqual([PATH]);
    const range = {start_range: 5, end_range: 2};
    expect(pathsRefused(attributeParameters, attribute('NumberPool', {parameters: range}))).toEqual([PATH]);
  });

  test('excluded ranges that overlap are refused', () => {
    const parameters = {excluded_values: '1-5,3-8'};
    expect(pathsRefused(attributeParameters, attribute('Number', {parameters}))).toEqual([PATH]);
  });

  test('a bound that was fine alone is refused when a later load adds its opposite', () => {
    const min = attribute('Text', {parameters: {min_length: 5}});
    const max = attribute('Text', {parameters: {max_length: 2}});
    expect(pathsRefused(attributeParameters, min)).toEqual([]);
    expect(pathsRefused(attributeParameters, min, max)).toEqual([PATH]);
  });

  test('a change of kind drops the parameters that the new kind lacks', () => {
    const before = attribute('Text', {parameters: {regex: 'a', min_length: 5}});
    expect(pathsRefused(attributeParameters, before, attribute('Number', {}))).toEqual([]);
  });
});
