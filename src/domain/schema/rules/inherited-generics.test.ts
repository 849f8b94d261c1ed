import {describe, expect, test} from 'vitest';
import {node, pathsRefused, problemsOf} from '../test-support/load.ts';
import {inheritedGenerics} from './inherited-generics.ts';

const PATH = 'InfraDevice.inherit_from';

describe('inherit_from', () => {
  test('names generics that exist', () => {
    const root = {
      generics: [node('Endpoint')],
      nodes: [node('Device', {inherit_from: ['InfraEndpoint', 'LineageOwner']})],
    };
    expect(pathsRefused(inheritedGenerics, root)).toEqual([]);
  });

  test('an unknown generic is refused', () => {
    expect(
      pathsRefused(inheritedGenerics, {nodes: [node('Device', {inherit_from: ['InfraNothing']})]}),
    ).toEqual([PATH]);
  });

  test('a node is no generic', () => {
    const [problem] = problemsOf(inheritedGenerics, {
      nodes: [node('Device', {inherit_from: ['BuiltinTag']})],
    });
    expect(problem).toEqual({
      path: PATH,
      message: expect.stringContaining('only generics can be inherited from'),
    });
  });

  test('a generic listed twice is refused', () => {
    const root = {nodes: [node('Device', {inherit_from: ['LineageOwner', 'LineageOwner']})]};
    expect(pathsRefused(inheritedGenerics, root)).toEqual([PATH]);
  });

  test('two hierarchical generics are refused', () => {
    const root = {
      generics: [node('Region', {hierarchical: true}), node('Team', {hierarchical: true})],
      nodes: [node('Device', {inherit_from: ['InfraRegion', 'InfraTeam']})],
    };
    expect(pathsRefused(inheritedGenerics, root)).toEqual([PATH]);
  });

  test('removing a generic leaves its heirs without it', () => {
    const before = {generics: [node('Endpoint')], nodes: [node('Device', {inherit_from: ['InfraEndpoint']})]};
    const removal = {generics: [node('Endpoint', {state: 'absent'})]};
    expect(pathsRefused(inheritedGenerics, before, removal)).toEqual([PATH]);
  });
});
