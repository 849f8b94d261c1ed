import {describe, expect, test} from 'vitest';
import {fieldsPerKindMax, kindsMax} from '../limits.ts';
import {node, pathsRefused, schemaOf, sourceOf, text} from '../test-support/load.ts';
import {sizes} from './sizes.ts';

const attributes = (prefix: string, count: number) =>
  Array.from({length: count}, (_, index) => text(`${prefix}${index}`));

describe('sizes', () => {
  test('an ordinary schema is fine', () => {
    expect(pathsRefused(sizes, {nodes: [node('Device', {attributes: attributes('field', 100)})]})).toEqual(
      [],
    );
  });

  test('a kind that grows beyond the bound, load by load, is refused', () => {
    const half = fieldsPerKindMax / 2;
    const first = {nodes: [node('Device', {attributes: attributes('one', half)})]};
    const second = {nodes: [node('Device', {attributes: attributes('two', half)})]};
    expect(pathsRefused(sizes, first)).toEqual([]);
    expect(pathsRefused(sizes, first, second)).toEqual(['InfraDevice']);
  });

  test('a schema with too many kinds is refused', () => {
    const source = sourceOf();
    const tag = source.kinds.get('BuiltinTag');
    const kinds = new Map(source.kinds);
    for (let index = 0; kinds.size <= kindsMax; index += 1)
      if (tag !== undefined) kinds.set(`InfraKind${index}`, tag);
    expect([...sizes(schemaOf(), {...source, kinds})].map(({path}) => path)).toEqual(['']);
  });
});
