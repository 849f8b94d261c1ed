import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {displayLabels} from './display-labels.ts';

const device = (rest: object) => ({
  nodes: [
    node('Site', {attributes: [text('name')]}),
    node('Device', {
      attributes: [text('name')],
      relationships: [
        {name: 'site', peer: 'InfraSite', cardinality: 'one'},
        {name: 'tags', peer: 'BuiltinTag'},
      ],
      ...rest,
    }),
  ],
});

describe('labels of objects', () => {
  test.each([
    {display_labels: ['name__value']},
    {display_labels: ['name']},
    {display_label: 'name__value'},
    {display_label: '{{ name__value }} at {{ site__name__value }}'},
  ])('%o is fine', rest => {
    expect(pathsRefused(displayLabels, device(rest))).toEqual([]);
  });

  test.each(['colour__value', 'site__name__value'])('display_labels with %s is refused', path => {
    expect(pathsRefused(displayLabels, device({display_labels: [path]}))).toEqual([
      'InfraDevice.display_labels',
    ]);
  });

  test.each([
    'colour__value',
    'site',
    'tags__name__value',
    '{{ colour__value }}',
    '{{ name__value',
    '{{ tags__name__value }}',
  ])('display_label %s is refused', display_label => {
    expect(pathsRefused(displayLabels, device({display_label}))).toEqual(['InfraDevice.display_label']);
  });

  test('removing an attribute of the peer breaks the template', () => {
    const before = device({display_label: '{{ site__name__value }}'});
    const removal = {nodes: [node('Site', {attributes: [{name: 'name', state: 'absent'}]})]};
    expect(pathsRefused(displayLabels, before, removal)).toEqual(['InfraDevice.display_label']);
  });
});
