import {expect, test} from 'vitest';
import {layDocument} from '../apply/lay-document.ts';
import {processSchema} from '../process/process-schema.ts';
import {EMPTY_SOURCE} from '../source.ts';
import {documentOf, sourceOf, text} from '../test-support/load.ts';
import {builtinSource, withBuiltins} from './builtin-source.ts';

test('the built-in kinds break no rule', () => {
  expect(processSchema(builtinSource()).problems).toEqual([]);
});

test('the built-in kinds are these', () => {
  const {schema} = processSchema(builtinSource());
  expect([...schema.generics.keys()].sort()).toEqual([
    'CoreArtifactTarget',
    'CoreBasePermission',
    'CoreCredential',
    'CoreGenericAccount',
    'CoreGenericRepository',
    'CoreGroup',
    'CoreMenu',
    'CoreNode',
    'CoreObjectComponentTemplate',
    'CoreObjectTemplate',
    'CoreProfile',
    'CoreTaskTarget',
    'CoreTransformation',
    'LineageOwner',
    'LineageSource',
  ]);
  expect([...schema.nodes.keys()].sort()).toEqual([
    'BuiltinTag',
    'CoreAccount',
    'CoreAccountGroup',
    'CoreAccountRole',
    'CoreArtifact',
    'CoreArtifactDefinition',
    'CoreGlobalPermission',
    'CoreGraphQLQuery',
    'CoreGraphQLQueryGroup',
    'CoreMenuItem',
    'CoreObjectPermission',
    'CorePasswordCredential',
    'CoreReadOnlyRepository',
    'CoreRepository',
    'CoreRepositoryGroup',
    'CoreStandardGroup',
    'CoreTransformJinja2',
    'CoreTransformPython',
    'InternalAccountToken',
    'InternalExternalIdentity',
    'InternalRefreshToken',
  ]);
  expect([...schema.profiles.keys()]).toEqual(['ProfileBuiltinTag']);
});

test('the hash of the built-in schema is the same everywhere', () => {
  expect(processSchema(builtinSource()).schema.hash).toMatchInlineSnapshot(
    `"e58c6a50f5ee862d130c5ca9d8379264"`,
  );
});

test('an upgrade that brings nothing new changes nothing', () => {
  const source = sourceOf({extensions: {nodes: [{kind: 'CoreAccount', attributes: [text('phone')]}]}});
  expect(withBuiltins(source)).toBe(source);
});

test('an upgrade brings what is missing and keeps what users added', () => {
  const older = layDocument(
    EMPTY_SOURCE,
    documentOf({nodes: [{namespace: 'Builtin', name: 'Tag', attributes: [text('name'), text('shade')]}]}),
  ).source;
  const upgraded = withBuiltins(older);
  expect(upgraded.kinds.get('BuiltinTag')?.attributes.map(({name}) => name)).toEqual([
    'name',
    'shade',
    'description',
  ]);
  expect(upgraded.kinds.size).toBe(builtinSource().kinds.size);
});
