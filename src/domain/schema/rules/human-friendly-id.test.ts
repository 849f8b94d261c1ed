import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {humanFriendlyId} from './human-friendly-id.ts';

const device = (paths: readonly string[], site: object = {}, relationship: object = {}) => ({
  nodes: [
    node('Site', {attributes: [text('name', {unique: true, ...site})]}),
    node('Device', {
      human_friendly_id: paths,
      attributes: [text('name')],
      relationships: [
        {name: 'site', peer: 'InfraSite', cardinality: 'one', optional: false, ...relationship},
      ],
    }),
  ],
});
const PATH = 'InfraDevice.human_friendly_id';

describe('human-friendly ids', () => {
  test.each([[['name__value']], [['site__name__value', 'name__value']]])('%o is fine', paths => {
    expect(pathsRefused(humanFriendlyId, device(paths))).toEqual([]);
  });

  test.each([
    ['an unknown field', ['colour__value']],
    ['an attribute without a property', ['name']],
    ['a relationship alone', ['site', 'name__value']],
    ['an unknown attribute of a peer', ['site__colour__value']],
    ['an empty list', []],
  ])('%s is refused', (_, paths) => {
    expect(pathsRefused(humanFriendlyId, device(paths))).toEqual([PATH]);
  });

  test('the peer must be one, mandatory, and known by that attribute', () => {
    const paths = ['site__name__value'];
    expect(pathsRefused(humanFriendlyId, device(paths, {}, {optional: true}))).toEqual([PATH]);
    expect(pathsRefused(humanFriendlyId, device(paths, {}, {cardinality: 'many'}))).toEqual([PATH]);
    expect(pathsRefused(humanFriendlyId, device(paths, {unique: false}))).toEqual([PATH]);
  });

  test('an attribute of the peer that stops being unique breaks it', () => {
    const later = {nodes: [node('Site', {attributes: [text('name')]})]};
    expect(pathsRefused(humanFriendlyId, device(['site__name__value']), later)).toEqual([PATH]);
  });
});
