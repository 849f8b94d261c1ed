import {describe, expect, test} from 'vitest';
import {node, pathsRefused} from '../test-support/load.ts';
import {relationshipCounts} from './relationship-counts.ts';

const relationship = (rest: object) => ({
  nodes: [node('Device', {relationships: [{name: 'tags', peer: 'BuiltinTag', ...rest}]})],
});

describe('counts', () => {
  test.each([
    {cardinality: 'one'},
    {cardinality: 'one', optional: false, min_count: 1, max_count: 1},
    {cardinality: 'many', min_count: 2, max_count: 4},
    {cardinality: 'many', min_count: 2},
  ])('%o is fine', rest => {
    expect(pathsRefused(relationshipCounts, relationship(rest))).toEqual([]);
  });

  test.each([
    [{cardinality: 'one', max_count: 2}, 'max_count'],
    [{cardinality: 'one', min_count: 1}, 'min_count'],
    [{cardinality: 'many', max_count: 1}, 'max_count'],
    [{cardinality: 'many', min_count: 5, max_count: 2}, 'min_count'],
  ])('%o is refused', (rest, property) => {
    expect(pathsRefused(relationshipCounts, relationship(rest))).toEqual([`InfraDevice.tags.${property}`]);
  });

  test('a change to cardinality one without its counts resets them', () => {
    const before = relationship({cardinality: 'many', min_count: 2, max_count: 4});
    expect(pathsRefused(relationshipCounts, before, relationship({cardinality: 'one'}))).toEqual([]);
  });

  test('counts that were fine for many are refused for one', () => {
    const counts = {min_count: 2, max_count: 4};
    expect(
      pathsRefused(relationshipCounts, relationship(counts), relationship({cardinality: 'one', ...counts})),
    ).toEqual(['InfraDevice.tags.max_count', 'InfraDevice.tags.min_count']);
  });
});
