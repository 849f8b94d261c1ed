import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {genericNamespaces} from './generic-namespaces.ts';

const generic = (restricted_namespaces?: readonly string[]) => ({
  generics: [node('Endpoint', {restricted_namespaces})],
  nodes: [node('Device', {inherit_from: ['InfraEndpoint']})],
});

describe('namespaces of a generic', () => {
  test('a generic without a list is for everyone', () => {
    expect(pathsRefused(genericNamespaces, generic())).toEqual([]);
  });

  test('a node of a listed namespace may use it', () => {
    expect(pathsRefused(genericNamespaces, generic(['Infra']))).toEqual([]);
  });

  test('a node of another namespace may not', () => {
    expect(pathsRefused(genericNamespaces, generic(['Dcim']))).toEqual(['InfraDevice.inherit_from']);
  });

  test('a list given later shuts out the nodes that use it already', () => {
    const later = {generics: [node('Endpoint', {restricted_namespaces: ['Dcim']})]};
    expect(pathsRefused(genericNamespaces, generic(), later)).toEqual(['InfraDevice.inherit_from']);
  });
});
