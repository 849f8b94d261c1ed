import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {overrides} from './overrides.ts';

const heir = (generic: object, own: object, others: readonly object[] = []) => ({
  generics: [node('Endpoint', generic), ...others],
  nodes: [
    node('Port', {inherit_from: ['InfraEndpoint', ...(others.length > 0 ? ['InfraOther'] : [])], ...own}),
  ],
});

describe('overriding what is inherited', () => {
  test('an attribute of the same kind may be refined', () => {
    const root = heir({attributes: [text('speed')]}, {attributes: [text('speed', {optional: true})]});
    expect(pathsRefused(overrides, root)).toEqual([]);
  });

  test('an attribute of another kind is refused', () => {
    const root = heir({attributes: [text('speed')]}, {attributes: [{name: 'speed', kind: 'Number'}]});
    expect(pathsRefused(overrides, root)).toEqual(['InfraPort.speed.kind']);
  });

  test('a relationship in place of an attribute is refused', () => {
    const root = heir({attributes: [text('speed')]}, {relationships: [{name: 'speed', peer: 'BuiltinTag'}]});
    expect(pathsRefused(overrides, root)).toEqual(['InfraPort.speed.kind']);
  });

  test('what the generic keeps to itself is refused', () => {
    const root = heir({attributes: [text('speed', {allow_override: 'none'})]}, {attributes: [text('speed')]});
    expect(pathsRefused(overrides, root)).toEqual(['InfraPort.speed']);
  });

  test('a relationship may be narrowed to a kind of its peer, not turned elsewhere', () => {
    const generic = {relationships: [{name: 'group', peer: 'CoreGroup'}]};
    expect(
      pathsRefused(overrides, heir(generic, {relationships: [{name: 'group', peer: 'CoreStandardGroup'}]})),
    ).toEqual([]);
    expect(
      pathsRefused(overrides, heir(generic, {relationships: [{name: 'group', peer: 'BuiltinTag'}]})),
    ).toEqual(['InfraPort.group.peer']);
  });

  test('two generics may share an attribute of one kind, not of two', () => {
    const mine = {attributes: [text('speed')]};
    const alike = heir(mine, {}, [node('Other', {attributes: [text('speed')]})]);
    expect(pathsRefused(overrides, alike)).toEqual([]);
    const unlike = heir(mine, {}, [node('Other', {attributes: [{name: 'speed', kind: 'Number'}]})]);
    expect(pathsRefused(overrides, unlike)).toEqual(['InfraPort.inherit_from']);
  });

  test('an own attribute is refused when the generic later gets one of another kind', () => {
    const before = heir({}, {attributes: [text('speed')]});
    const later = {generics: [node('Endpoint', {attributes: [{name: 'speed', kind: 'Number'}]})]};
    expect(pathsRefused(overrides, before)).toEqual([]);
    expect(pathsRefused(overrides, before, later)).toEqual(['InfraPort.speed.kind']);
  });
});
