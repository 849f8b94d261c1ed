import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {commonRelatives} from './common-relatives.ts';

const parent = {name: 'device', peer: 'InfraDevice', kind: 'Parent', cardinality: 'one', optional: false};

const schema = (lag: object, memberRelationships: readonly object[] = [parent]) => ({
  nodes: [
    node('Device'),
    node('Port', {relationships: [...memberRelationships]}),
    node('Lag', {
      relationships: [
        {...parent, identifier: 'device__lag'},
        {name: 'ports', peer: 'InfraPort', ...lag},
      ],
    }),
  ],
});

describe('relatives in common', () => {
  test('a Parent relationship on both sides is fine', () => {
    expect(
      pathsRefused(commonRelatives, schema({common_parent: 'device', common_relatives: ['device']})),
    ).toEqual([]);
  });

  test('common_parent must name a Parent of the peer', () => {
    expect(pathsRefused(commonRelatives, schema({common_parent: 'owner'}))).toEqual([
      'InfraLag.ports.common_parent',
    ]);
    const notParent = {...parent, kind: 'Generic'};
    expect(pathsRefused(commonRelatives, schema({common_parent: 'device'}, [notParent]))).toEqual([
      'InfraLag.ports.common_parent',
    ]);
  });

  test('common_parent needs a Parent on the own side too', () => {
    const root = {
      nodes: [
        node('Device'),
        node('Port', {relationships: [parent]}),
        node('Lag', {relationships: [{name: 'ports', peer: 'InfraPort', common_parent: 'device'}]}),
      ],
    };
    expect(pathsRefused(commonRelatives, root)).toEqual(['InfraLag.ports.common_parent']);
  });

  test('common_relatives must name relationships of the peer', () => {
    const root = schema({common_relatives: ['device', 'vlan']});
    expect(pathsRefused(commonRelatives, root)).toEqual(['InfraLag.ports.common_relatives']);
  });

  test('removing the relationship on the peer breaks it', () => {
    const before = schema({common_relatives: ['device']});
    const removal = {nodes: [node('Port', {relationships: [{name: 'device', state: 'absent'}]})]};
    expect(pathsRefused(commonRelatives, before, removal)).toEqual(['InfraLag.ports.common_relatives']);
  });
});
