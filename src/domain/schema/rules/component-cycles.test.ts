import {describe, expect, test} from 'vitest';
import {node, problemsOf} from '../test-support/load.ts';
import {componentCycles} from './component-cycles.ts';

const part = (name: string, peer: string) => ({name, peer, kind: 'Component', identifier: `${name}__part`});
const owner = (name: string, peer: string) => ({
  name,
  peer,
  kind: 'Parent',
  cardinality: 'one',
  optional: false,
  identifier: `${name}__owner`,
});

describe('parts and owners', () => {
  test('a tree of parts is fine, seen from either end', () => {
    const root = {
      nodes: [
        node('Device', {relationships: [part('modules', 'InfraModule'), part('ports', 'InfraPort')]}),
        node('Module', {relationships: [owner('device', 'InfraDevice'), part('sockets', 'InfraPort')]}),
        node('Port'),
      ],
    };
    expect(problemsOf(componentCycles, root)).toEqual([]);
  });

  test('a kind that is a part of itself is refused', () => {
    const root = {nodes: [node('Device', {relationships: [part('modules', 'InfraDevice')]})]};
    expect(problemsOf(componentCycles, root)).toHaveLength(1);
  });

  test('a cycle through parts and owners is refused, and told', () => {
    const root = {
      nodes: [
        node('Device', {relationships: [part('modules', 'InfraModule')]}),
        node('Module', {relationships: [part('cards', 'InfraCard')]}),
        node('Card'),
      ],
      extensions: {nodes: [{kind: 'InfraDevice', relationships: [owner('card', 'InfraCard')]}]},
    };
    const [problem] = problemsOf(componentCycles, root);
    expect(problem?.message).toContain('InfraModule has the part InfraCard');
  });

  test('a cycle through a generic is refused', () => {
    const root = {
      generics: [node('Part')],
      nodes: [
        node('Device', {relationships: [part('parts', 'InfraPart')]}),
        node('Module', {inherit_from: ['InfraPart'], relationships: [part('devices', 'InfraDevice')]}),
      ],
    };
    expect(problemsOf(componentCycles, root)).toHaveLength(1);
  });

  test('kinds of one generic may own parts of that generic without owning themselves', () => {
    const root = {
      generics: [node('Part', {relationships: []}), node('Whole')],
      nodes: [
        node('Device', {inherit_from: ['InfraWhole'], relationships: [part('parts', 'InfraPart')]}),
        node('Module', {inherit_from: ['InfraPart'], relationships: [owner('whole', 'InfraWhole')]}),
      ],
    };
    expect(problemsOf(componentCycles, root)).toEqual([]);
  });

  test('a later load can close a cycle', () => {
    const before = {
      nodes: [node('Device', {relationships: [part('modules', 'InfraModule')]}), node('Module')],
    };
    const later = {nodes: [node('Module', {relationships: [part('devices', 'InfraDevice')]})]};
    expect(problemsOf(componentCycles, before)).toEqual([]);
    expect(problemsOf(componentCycles, before, later)).toHaveLength(1);
  });
});
