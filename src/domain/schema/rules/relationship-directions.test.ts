import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {relationshipDirections} from './relationship-directions.ts';

const pair = (here?: string, there?: string) => ({
  nodes: [
    node('Device', {relationships: [{name: 'site', peer: 'InfraSite', direction: here}]}),
    node('Site', {relationships: [{name: 'devices', peer: 'InfraDevice', direction: there}]}),
  ],
});

describe('directions', () => {
  test.each([
    [undefined, undefined],
    ['outbound', 'inbound'],
    ['inbound', 'outbound'],
  ])('%s and %s are two views of one edge', (here, there) => {
    expect(pathsRefused(relationshipDirections, pair(here, there))).toEqual([]);
  });

  test.each([
    ['outbound', undefined],
    ['outbound', 'outbound'],
    ['inbound', 'bidirectional'],
  ])('%s and %s are refused, on both ends', (here, there) => {
    expect(pathsRefused(relationshipDirections, pair(here, there))).toEqual([
      'InfraDevice.site.direction',
      'InfraSite.devices.direction',
    ]);
  });

  test('a relationship without another end has any direction', () => {
    const root = {
      nodes: [node('Device', {relationships: [{name: 'tag', peer: 'BuiltinTag', direction: 'inbound'}]})],
    };
    expect(pathsRefused(relationshipDirections, root)).toEqual([]);
  });

  test('the other end, added later, must fit', () => {
    const before = {
      nodes: [
        node('Site'),
        node('Device', {relationships: [{name: 'site', peer: 'InfraSite', direction: 'outbound'}]}),
      ],
    };
    const later = {nodes: [node('Site', {relationships: [{name: 'devices', peer: 'InfraDevice'}]})]};
    expect(pathsRefused(relationshipDirections, before)).toEqual([]);
    expect(pathsRefused(relationshipDirections, before, later)).toHaveLength(2);
  });
});
