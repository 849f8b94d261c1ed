import {expect, test} from 'vitest';
import {must} from '../../base/assert.ts';
import {genericsOfKind, implementations, inverseOn, isKindOf, kindOf, relationshipOf} from './lookup.ts';
import {resolvePath} from './paths.ts';
import {node, schemaOf, text} from './test-support/load.ts';

const schema = schemaOf({
  generics: [
    node('Endpoint', {
      relationships: [{name: 'device', peer: 'InfraDevice', cardinality: 'one', identifier: 'device__port'}],
    }),
  ],
  nodes: [
    node('Device', {
      attributes: [text('name'), {name: 'address', kind: 'IPHost'}],
      relationships: [{name: 'ports', peer: 'InfraEndpoint', identifier: 'device__port'}],
    }),
    node('Port', {inherit_from: ['InfraEndpoint']}),
  ],
});
const device = must(kindOf(schema, 'InfraDevice'), 'kind');
const port = must(schema.nodes.get('InfraPort'), 'kind');

test('a kind is found by its name, wherever it comes from', () => {
  expect(
    ['InfraPort', 'InfraEndpoint', 'ProfileInfraPort', 'CoreNode'].map(name => kindOf(schema, name)?.type),
  ).toEqual(['node', 'generic', 'profile', 'generic']);
  expect(kindOf(schema, 'constructor')).toBe(undefined);
});

test('a kind stands for itself and for its generics', () => {
  expect(isKindOf(schema, 'InfraPort', 'InfraPort')).toBe(true);
  expect(isKindOf(schema, 'InfraPort', 'InfraEndpoint')).toBe(true);
  expect(isKindOf(schema, 'InfraPort', 'CoreNode')).toBe(true);
  expect(isKindOf(schema, 'InfraDevice', 'InfraEndpoint')).toBe(false);
  expect(implementations(schema, 'InfraEndpoint')).toEqual(['InfraPort']);
  expect(implementations(schema, 'InfraPort')).toEqual(['InfraPort']);
  expect(implementations(schema, 'InfraNothing')).toEqual([]);
  expect(genericsOfKind(schema, port)).toEqual(['InfraEndpoint', 'CoreNode']);
});

test('the other end of an edge is found by its identifier', () => {
  const ports = must(relationshipOf(device, 'ports'), 'relationship');
  expect(inverseOn(port, ports)?.name).toBe('device');
  expect(inverseOn(must(kindOf(schema, 'BuiltinTag'), 'kind'), ports)).toBe(undefined);
});

test.each([
  ['name', 'attribute'],
  ['name__value', 'attribute'],
  ['address__version', 'attribute'],
  ['ports', 'relationship'],
  ['name__version', 'unresolved'],
  ['name__value__more', 'unresolved'],
  ['ports__colour__value', 'unresolved'],
  ['', 'unresolved'],
])('the path %s of a device is an %s', (path, is) => {
  expect(resolvePath(schema, device, path).is).toBe(is);
});

test('a path may lead to an attribute of a peer', () => {
  expect(resolvePath(schema, port, 'device__address__version')).toMatchObject({
    is: 'peer-attribute',
    peer: {kind: 'InfraDevice'},
    attribute: {name: 'address'},
    property: 'version',
  });
});
