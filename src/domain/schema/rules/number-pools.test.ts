import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {numberPools} from './number-pools.ts';

const pool = (rest: object = {}) => ({name: 'vlan_id', kind: 'NumberPool', read_only: true, ...rest});
const vlan = (rest: object = {}) => ({nodes: [node('Vlan', {attributes: [pool(rest)]})]});

describe('number pools', () => {
  test('a mandatory read-only attribute is fine', () => {
    expect(pathsRefused(numberPools, vlan())).toEqual([]);
  });

  test.each([
    [{optional: true}, 'optional'],
    [{read_only: false}, 'read_only'],
    [{default_value: 5}, 'default_value'],
  ])('%o is refused', (rest, property) => {
    expect(pathsRefused(numberPools, vlan(rest))).toEqual([`InfraVlan.vlan_id.${property}`]);
  });

  test('one that is inherited cannot be overridden', () => {
    const root = {
      generics: [node('Tagged', {attributes: [pool()]})],
      nodes: [node('Vlan', {inherit_from: ['InfraTagged'], attributes: [pool()]})],
    };
    expect(pathsRefused(numberPools, root)).toEqual(['InfraVlan.vlan_id']);
  });

  test('a Number that becomes a pool must be mandatory and read-only', () => {
    const before = {nodes: [node('Vlan', {attributes: [{name: 'vlan_id', kind: 'Number', optional: true}]})]};
    expect(pathsRefused(numberPools, before, vlan({optional: true}))).toEqual(['InfraVlan.vlan_id.optional']);
  });
});
