import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {defaultValues} from './default-values.ts';

const attribute = (kind: string, rest: object) => ({
  nodes: [node('Device', {attributes: [{name: 'field', kind, ...rest}]})],
});
const PATH = 'InfraDevice.field.default_value';

describe('defaults', () => {
  test.each([
    ['Text', {default_value: ''}],
    ['Number', {default_value: 0}],
    ['Boolean', {default_value: false}],
    ['Dropdown', {default_value: 'up', choices: [{name: 'up'}]}],
    ['List', {default_value: ['a']}],
    ['IPHost', {default_value: '10.0.0.1'}],
  ])('a value that %s allows is fine', (kind, rest) => {
    expect(pathsRefused(defaultValues, attribute(kind, rest))).toEqual([]);
  });

  test.each([
    ['a value of another kind', 'Number', {default_value: 'five'}],
    ['a value outside the enum', 'Text', {default_value: 'c', enum: ['a', 'b']}],
    ['an unknown choice', 'Dropdown', {default_value: 'left', choices: [{name: 'up'}]}],
    ['a value that the regular expression refuses', 'Text', {default_value: 'A', regex: '^[a-z]+$'}],
    ['a value out of bounds', 'Number', {default_value: 9, parameters: {max_value: 5}}],
    ['a network with host bits', 'IPNetwork', {default_value: '10.0.0.1/8'}],
  ])('%s is refused', (_, kind, rest) => {
    expect(pathsRefused(defaultValues, attribute(kind, rest))).toEqual([PATH]);
  });

  test('a default that was fine is refused when a later load narrows the attribute', () => {
    const before = attribute('Text', {default_value: 'long enough'});
    expect(pathsRefused(defaultValues, before)).toEqual([]);
    expect(pathsRefused(defaultValues, before, attribute('Text', {parameters: {max_length: 3}}))).toEqual([
      PATH,
    ]);
  });
});
