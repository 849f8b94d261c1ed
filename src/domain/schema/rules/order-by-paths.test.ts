import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {orderByPaths} from './order-by-paths.ts';

const device = (paths: readonly string[]) => ({
  nodes: [
    node('Site', {attributes: [text('name')]}),
    node('Device', {
      order_by: paths,
      attributes: [text('name'), {name: 'address', kind: 'IPHost'}],
      relationships: [
        {name: 'site', peer: 'InfraSite', cardinality: 'one'},
        {name: 'tags', peer: 'BuiltinTag'},
      ],
    }),
  ],
});

describe('order_by', () => {
  test.each([[['name__value']], [['site__name__value', 'address__binary_address']]])('%o is fine', paths => {
    expect(pathsRefused(orderByPaths, device(paths))).toEqual([]);
  });

  test.each([
    ['an unknown field', ['colour__value']],
    ['a relationship alone', ['site']],
    ['a relationship to many', ['tags__name__value']],
    ['an unknown property', ['name__binary_address']],
  ])('%s is refused', (_, paths) => {
    expect(pathsRefused(orderByPaths, device(paths))).toEqual(['InfraDevice.order_by']);
  });

  test('a relationship that comes to lead to many breaks it', () => {
    const later = {nodes: [node('Device', {relationships: [{name: 'site', peer: 'InfraSite'}]})]};
    expect(pathsRefused(orderByPaths, device(['site__name__value']), later)).toEqual([
      'InfraDevice.order_by',
    ]);
  });
});
