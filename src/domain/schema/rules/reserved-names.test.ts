import {describe, expect, test} from 'vitest';
import {documentPathsRefused, node, text} from '../test-support/load.ts';
import {reservedNames} from './reserved-names.ts';

describe('reserved names', () => {
  test.each([
    ...'any attribute attrs relationships rel save hfid display_label'.split(' '),
    'history',
    'ids',
    'node_metadata',
  ])('no field is called %s', name => {
    const attribute = {nodes: [node('Device', {attributes: [text(name)]})]};
    expect(documentPathsRefused(reservedNames, attribute)).toEqual([`InfraDevice.${name}.name`]);
    const relationship = {nodes: [node('Device', {relationships: [{name, peer: 'BuiltinTag'}]})]};
    expect(documentPathsRefused(reservedNames, relationship)).toEqual([`InfraDevice.${name}.name`]);
  });

  test('type is reserved on generics only', () => {
    const attributes = [text('type')];
    expect(documentPathsRefused(reservedNames, {nodes: [node('Device', {attributes})]})).toEqual([]);
    expect(documentPathsRefused(reservedNames, {generics: [node('Endpoint', {attributes})]})).toEqual([
      'InfraEndpoint.type.name',
    ]);
  });

  test('an extension is held to the same names, and knows that it extends a generic', () => {
    const before = {generics: [node('Endpoint')]};
    const root = {extensions: {nodes: [{kind: 'InfraEndpoint', attributes: [text('type'), text('save')]}]}};
    expect(documentPathsRefused(reservedNames, root, before)).toEqual([
      'InfraEndpoint.type.name',
      'InfraEndpoint.save.name',
    ]);
  });

  test('an ordinary name is free', () => {
    expect(
      documentPathsRefused(reservedNames, {nodes: [node('Device', {attributes: [text('name')]})]}),
    ).toEqual([]);
  });
});
