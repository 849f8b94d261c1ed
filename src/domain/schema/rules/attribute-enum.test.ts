import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {attributeEnum} from './attribute-enum.ts';

const withEnum = (kind: string, members: readonly unknown[]) => ({
  nodes: [node('Device', {attributes: [{name: 'size', kind, enum: members}]})],
});

describe('enums', () => {
  test('values of the kind are fine', () => {
    expect(pathsRefused(attributeEnum, withEnum('Number', [1, 2, 4]))).toEqual([]);
    expect(pathsRefused(attributeEnum, withEnum('Text', ['a', 'b']))).toEqual([]);
  });

  test('an empty enum is refused', () => {
    expect(pathsRefused(attributeEnum, withEnum('Text', []))).toEqual(['InfraDevice.size.enum']);
  });

  test('a value of another kind is refused', () => {
    expect(pathsRefused(attributeEnum, withEnum('Number', [1, 'two']))).toEqual(['InfraDevice.size.enum']);
    expect(pathsRefused(attributeEnum, withEnum('Text', [null]))).toEqual(['InfraDevice.size.enum']);
  });

  test('a Dropdown lists choices instead', () => {
    expect(pathsRefused(attributeEnum, withEnum('Dropdown', ['a']))).toEqual(['InfraDevice.size.enum']);
  });

  test('an enum no longer fits when its attribute becomes a Number', () => {
    const changed = {nodes: [node('Device', {attributes: [{name: 'size', kind: 'Number'}]})]};
    expect(pathsRefused(attributeEnum, withEnum('Text', ['a']), changed)).toEqual(['InfraDevice.size.enum']);
  });
});
