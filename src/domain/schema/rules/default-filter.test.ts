import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {defaultFilter} from './default-filter.ts';

const device = (default_filter: string) => ({
  nodes: [
    node('Device', {
      default_filter,
      attributes: [text('name')],
      relationships: [{name: 'tags', peer: 'BuiltinTag'}],
    }),
  ],
});

describe('default_filter', () => {
  test.each(['name__value', 'name'])('%s is fine', path => {
    expect(pathsRefused(defaultFilter, device(path))).toEqual([]);
  });

  test.each(['colour__value', 'tags', 'tags__name__value'])('%s is refused', path => {
    expect(pathsRefused(defaultFilter, device(path))).toEqual(['InfraDevice.default_filter']);
  });

  test('removing its attribute breaks it', () => {
    const removal = {nodes: [node('Device', {attributes: [{name: 'name', state: 'absent'}]})]};
    expect(pathsRefused(defaultFilter, device('name__value'), removal)).toEqual([
      'InfraDevice.default_filter',
    ]);
  });
});
