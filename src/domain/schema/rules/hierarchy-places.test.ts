import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {hierarchyPlaces} from './hierarchy-places.ts';

const region = {generics: [node('Location', {hierarchical: true})]};
const inRegion = (name: string, rest: object = {}) => node(name, {inherit_from: ['InfraLocation'], ...rest});

describe('places in a hierarchy', () => {
  test('kinds of the hierarchy, or none, are fine', () => {
    const root = {
      ...region,
      nodes: [
        inRegion('Country', {parent: '', children: 'InfraCity'}),
        inRegion('City', {parent: 'InfraCountry', children: ''}),
      ],
    };
    expect(pathsRefused(hierarchyPlaces, root)).toEqual([]);
  });

  test('a place without a hierarchy is refused', () => {
    expect(pathsRefused(hierarchyPlaces, {nodes: [node('City', {parent: 'BuiltinTag'})]})).toEqual([
      'InfraCity.parent',
    ]);
  });

  test('an unknown kind is refused', () => {
    const root = {...region, nodes: [inRegion('City', {children: 'InfraStreet'})]};
    expect(pathsRefused(hierarchyPlaces, root)).toEqual(['InfraCity.children']);
  });

  test('a kind of another hierarchy is refused', () => {
    const root = {...region, nodes: [inRegion('City', {parent: 'CoreStandardGroup'})]};
    expect(pathsRefused(hierarchyPlaces, root)).toEqual(['InfraCity.parent']);
  });

  test('hierarchy must name a hierarchical generic that the node inherits from', () => {
    expect(pathsRefused(hierarchyPlaces, {nodes: [node('City', {hierarchy: 'CoreNode'})]})).toEqual([
      'InfraCity.hierarchy',
    ]);
    expect(
      pathsRefused(hierarchyPlaces, {...region, nodes: [node('City', {hierarchy: 'InfraLocation'})]}),
    ).toEqual(['InfraCity.hierarchy']);
  });

  test('a generic that stops being hierarchical leaves its places hanging', () => {
    const before = {...region, nodes: [inRegion('City', {parent: ''})]};
    const later = {generics: [node('Location', {hierarchical: false})]};
    expect(pathsRefused(hierarchyPlaces, before, later)).toEqual(['InfraCity.parent']);
  });
});
