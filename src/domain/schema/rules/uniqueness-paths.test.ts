import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {uniquenessPaths} from './uniqueness-paths.ts';

const device = (constraint: readonly string[], relationship: object = {}) => ({
  nodes: [
    node('Site', {attributes: [text('name')]}),
    node('Device', {
      uniqueness_constraints: [constraint],
      attributes: [text('name'), {name: 'address', kind: 'IPHost'}],
      relationships: [
        {name: 'site', peer: 'InfraSite', cardinality: 'one', optional: false, ...relationship},
      ],
    }),
  ],
});
const PATH = 'InfraDevice.uniqueness_constraints';

describe('uniqueness constraints', () => {
  test.each([[['name__value']], [['site', 'name__value']], [['address__version', 'name__value']]])(
    '%o is fine',
    paths => {
      expect(pathsRefused(uniquenessPaths, device(paths))).toEqual([]);
    },
  );

  test.each([
    ['an unknown field', ['colour__value']],
    ['an unknown property', ['name__version']],
    ['an attribute without a property', ['name']],
    ['an attribute of a peer', ['site__name__value']],
    ['an empty list', []],
  ])('%s is refused', (_, paths) => {
    expect(pathsRefused(uniquenessPaths, device(paths))).toEqual([PATH]);
  });

  test('a relationship must be mandatory and lead to one', () => {
    expect(pathsRefused(uniquenessPaths, device(['site'], {optional: true}))).toEqual([PATH]);
    expect(pathsRefused(uniquenessPaths, device(['site'], {cardinality: 'many'}))).toEqual([PATH]);
  });

  test('removing the attribute breaks the constraint', () => {
    const removal = {nodes: [node('Device', {attributes: [{name: 'name', state: 'absent'}]})]};
    expect(pathsRefused(uniquenessPaths, device(['name__value']), removal)).toEqual([PATH]);
  });
});
