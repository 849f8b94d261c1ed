import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {relationshipIdentifiers} from './relationship-identifiers.ts';

const device = (relationships: readonly object[]) => ({nodes: [node('Device', {relationships})]});
const to = (name: string, rest: object = {}) => ({name, peer: 'BuiltinTag', ...rest});

describe('identifiers', () => {
  test('one relationship to a kind needs none', () => {
    expect(pathsRefused(relationshipIdentifiers, device([to('tags')]))).toEqual([]);
  });

  test('two relationships to one kind clash unless they say their identifiers', () => {
    expect(pathsRefused(relationshipIdentifiers, device([to('tags'), to('labels')]))).toEqual([
      'InfraDevice.labels.identifier',
    ]);
    const apart = device([to('tags'), to('labels', {identifier: 'device__labels'})]);
    expect(pathsRefused(relationshipIdentifiers, apart)).toEqual([]);
  });

  test('the two directions of one edge share an identifier', () => {
    const self = (direction: string) => ({peer: 'InfraDevice', identifier: 'upstream', direction});
    const pair = [
      {name: 'above', ...self('outbound')},
      {name: 'below', ...self('inbound')},
    ];
    expect(pathsRefused(relationshipIdentifiers, device(pair))).toEqual([]);
    const third = {name: 'beside', ...self('inbound')};
    expect(pathsRefused(relationshipIdentifiers, device([...pair, third]))).toEqual([
      'InfraDevice.beside.identifier',
    ]);
  });

  test('an identifier of the service is refused', () => {
    expect(
      pathsRefused(relationshipIdentifiers, device([to('groups', {identifier: 'group_member'})])),
    ).toHaveLength(1);
  });

  test('an inherited relationship clashes with an own one that a later load adds', () => {
    const before = {
      generics: [node('Endpoint', {relationships: [to('tags', {identifier: 'endpoint__tags'})]})],
      nodes: [node('Port', {inherit_from: ['InfraEndpoint']})],
    };
    const own = [to('labels', {identifier: 'endpoint__tags'})];
    const later = {nodes: [node('Port', {inherit_from: ['InfraEndpoint'], relationships: own})]};
    expect(pathsRefused(relationshipIdentifiers, before, later)).toEqual(['InfraPort.labels.identifier']);
  });
});
