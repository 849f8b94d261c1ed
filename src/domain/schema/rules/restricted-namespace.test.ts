import {describe, expect, test} from 'vitest';
import {documentOf, documentPathsRefused, sourceOf} from '../test-support/load.ts';
import {restrictedNamespace} from './restricted-namespace.ts';

describe('restricted namespaces', () => {
  test.each(['Core', 'Internal', 'Lineage', 'Profile', 'Template', 'Schema', 'Account', 'Branch', 'Diff'])(
    'a node in %s is refused',
    namespace => {
      const root = {nodes: [{namespace, name: 'Thing'}]};
      expect(documentPathsRefused(restrictedNamespace, root)).toEqual([`${namespace}Thing.namespace`]);
    },
  );

  test('the sentence names the namespace and the node', () => {
    const [problem] = restrictedNamespace(
      documentOf({generics: [{namespace: 'Internal', name: 'Thing'}]}),
      sourceOf(),
    );
    expect(problem?.message).toMatch("Restricted namespace 'Internal' used on 'Thing'");
  });

  test('a built-in kind cannot be removed either', () => {
    const root = {nodes: [{namespace: 'Core', name: 'Account', state: 'absent'}]};
    expect(documentPathsRefused(restrictedNamespace, root)).toEqual(['CoreAccount.namespace']);
  });

  test('Builtin and namespaces of users are open', () => {
    const root = {
      nodes: [
        {namespace: 'Builtin', name: 'Thing'},
        {namespace: 'Infra', name: 'Thing'},
      ],
    };
    expect(documentPathsRefused(restrictedNamespace, root)).toEqual([]);
  });

  test('an extension may reach into a restricted namespace', () => {
    const root = {extensions: {nodes: [{kind: 'CoreAccount', attributes: [{name: 'phone', kind: 'Text'}]}]}};
    expect(documentPathsRefused(restrictedNamespace, root)).toEqual([]);
  });
});
