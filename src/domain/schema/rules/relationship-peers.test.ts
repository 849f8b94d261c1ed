import {describe, expect, test} from 'vitest';
import {node, pathsRefused, problemsOf} from '../test-support/load.ts';
import {relationshipPeers} from './relationship-peers.ts';

describe('peers', () => {
  test('nodes and generics are fine', () => {
    const relationships = [
      {name: 'tags', peer: 'BuiltinTag'},
      {name: 'group', peer: 'CoreGroup'},
    ];
    expect(pathsRefused(relationshipPeers, {nodes: [node('Device', {relationships})]})).toEqual([]);
  });

  test('an unknown kind is refused', () => {
    const root = {nodes: [node('Device', {relationships: [{name: 'site', peer: 'InfraNowhere'}]})]};
    expect(pathsRefused(relationshipPeers, root)).toEqual(['InfraDevice.site.peer']);
  });

  test('removing a kind names the relationships that still lead to it', () => {
    const before = {
      nodes: [node('Site'), node('Device', {relationships: [{name: 'site', peer: 'InfraSite'}]})],
    };
    const removal = {nodes: [node('Site', {state: 'absent'})]};
    const [problem] = problemsOf(relationshipPeers, before, removal);
    expect(problem?.path).toBe('InfraDevice.site.peer');
    expect(problem?.message).toContain('InfraDevice.site');
  });

  test('a broken relationship of a generic is named once, not on every heir', () => {
    const root = {
      generics: [node('Endpoint', {relationships: [{name: 'site', peer: 'InfraNowhere'}]})],
      nodes: [
        node('Port', {inherit_from: ['InfraEndpoint']}),
        node('Link', {inherit_from: ['InfraEndpoint']}),
      ],
    };
    expect(pathsRefused(relationshipPeers, root)).toEqual(['InfraEndpoint.site.peer']);
  });
});
