import {describe, expect, test} from 'vitest';
import {documentPathsRefused, text} from '../test-support/load.ts';
import {builtinFields} from './builtin-fields.ts';

const extend = (kind: string, attributes: readonly object[]) => ({extensions: {nodes: [{kind, attributes}]}});

describe('fields that come with the service', () => {
  test('cannot be removed by an extension', () => {
    const root = extend('CoreAccount', [{name: 'name', state: 'absent'}]);
    expect(documentPathsRefused(builtinFields, root)).toEqual([]);
    const generic = extend('CoreGenericAccount', [{name: 'password', state: 'absent'}]);
    expect(documentPathsRefused(builtinFields, generic)).toEqual(['CoreGenericAccount.password']);
  });

  test('cannot be redefined by an extension', () => {
    expect(documentPathsRefused(builtinFields, extend('CoreGroup', [text('name')]))).toEqual([
      'CoreGroup.name',
    ]);
  });

  test('leave room for more', () => {
    expect(documentPathsRefused(builtinFields, extend('CoreGroup', [text('purpose')]))).toEqual([]);
  });

  test('a field that an earlier extension added may be changed', () => {
    const added = extend('CoreGroup', [text('purpose')]);
    const changed = extend('CoreGroup', [text('purpose', {optional: true})]);
    expect(documentPathsRefused(builtinFields, changed, added)).toEqual([]);
  });
});
