import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {parents} from './parents.ts';

const parent = (rest: object = {}) => ({
  name: 'device',
  peer: 'InfraDevice',
  kind: 'Parent',
  cardinality: 'one',
  optional: false,
  ...rest,
});
const port = (...relationships: readonly object[]) => ({
  nodes: [node('Device'), node('Port', {relationships})],
});

describe('parents', () => {
  test('one mandatory parent is fine', () => {
    expect(pathsRefused(parents, port(parent()))).toEqual([]);
  });

  test('a parent of cardinality many is refused', () => {
    expect(pathsRefused(parents, port(parent({cardinality: 'many'})))).toEqual([
      'InfraPort.device.cardinality',
    ]);
  });

  test('an optional parent is refused', () => {
    expect(pathsRefused(parents, port(parent({optional: undefined})))).toEqual(['InfraPort.device.optional']);
  });

  test('two parents are refused, an inherited one included', () => {
    const second = parent({name: 'chassis', identifier: 'chassis__port'});
    expect(pathsRefused(parents, port(parent(), second))).toEqual(['InfraPort']);
    const inherited = {
      generics: [node('Endpoint', {relationships: [parent()]})],
      nodes: [node('Device'), node('Port', {inherit_from: ['InfraEndpoint'], relationships: [second]})],
    };
    expect(pathsRefused(parents, inherited)).toEqual(['InfraPort']);
  });

  test('a second parent added by a later load is refused', () => {
    const later = {
      nodes: [node('Port', {relationships: [parent({name: 'chassis', identifier: 'chassis__port'})]})],
    };
    expect(pathsRefused(parents, port(parent()), later)).toEqual(['InfraPort']);
  });
});
