import {describe, expect, test} from 'vitest';
import {layDocument} from '../apply/lay-document.ts';
import {builtinSource} from '../builtin/builtin-source.ts';
import {mergeSources} from '../merge/merge-sources.ts';
import {deriveSchema} from '../process/process-schema.ts';
import {documentOf, node, pathsRefused, sourceOf, text} from '../test-support/load.ts';
import {duplicateFields} from './duplicate-fields.ts';

describe('fields of one kind', () => {
  test('have names of their own', () => {
    const root = {nodes: [node('Device', {attributes: [text('name'), text('role')]})]};
    expect(pathsRefused(duplicateFields, root)).toEqual([]);
  });

  test('an attribute and a relationship that merged branches gave one name clash', () => {
    const source = sourceOf({nodes: [node('Device', {attributes: [text('site')]})]});
    const other = sourceOf({nodes: [node('Device', {relationships: [{name: 'site', peer: 'BuiltinTag'}]})]});
    const merged = mergeSources(builtinSource(), source, other).source;
    expect([...duplicateFields(deriveSchema(merged), merged)].map(({path}) => path)).toEqual([
      'InfraDevice.site',
    ]);
  });

  test('a field that one branch overrides and another renames on the generic is one field under two names', () => {
    const base = sourceOf({
      generics: [node('Endpoint', {attributes: [text('speed')]})],
      nodes: [node('Port', {inherit_from: ['InfraEndpoint']})],
    });
    const id = base.kinds.get('InfraEndpoint')?.attributes[0]?.id;
    const override = {nodes: [node('Port', {inherit_from: ['InfraEndpoint'], attributes: [text('speed')]})]};
    const rename = {generics: [node('Endpoint', {attributes: [text('rate', {id})]})]};
    const ours = layDocument(base, documentOf(override)).source;
    const theirs = layDocument(base, documentOf(rename)).source;
    const merged = mergeSources(base, ours, theirs).source;
    expect([...duplicateFields(deriveSchema(merged), merged)].map(({path}) => path)).toEqual([
      'InfraPort.rate',
    ]);
  });
});
