import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {mutualMandatory} from './mutual-mandatory.ts';

const one = (name: string, peer: string, optional: boolean) => ({name, peer, cardinality: 'one', optional});
const pair = (here: boolean, there: boolean) => ({
  nodes: [
    node('Device', {relationships: [one('site', 'InfraSite', here)]}),
    node('Site', {relationships: [one('device', 'InfraDevice', there)]}),
  ],
});

describe('mandatory relationships', () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
  ])('optional %s and %s is fine', (here, there) => {
    expect(pathsRefused(mutualMandatory, pair(here, there))).toEqual([]);
  });

  test('two kinds that need each other are refused, once', () => {
    expect(pathsRefused(mutualMandatory, pair(false, false))).toEqual(['InfraDevice.site.optional']);
  });

  test('a kind that needs itself is refused', () => {
    const root = {nodes: [node('Device', {relationships: [one('twin', 'InfraDevice', false)]})]};
    expect(pathsRefused(mutualMandatory, root)).toEqual(['InfraDevice.twin.optional']);
  });

  test('a later load that makes the second one mandatory is refused', () => {
    expect(pathsRefused(mutualMandatory, pair(true, false), pair(false, false))).toEqual([
      'InfraDevice.site.optional',
    ]);
  });
});
