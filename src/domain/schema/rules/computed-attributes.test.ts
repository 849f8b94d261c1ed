import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {computedAttributes} from './computed-attributes.ts';

const device = (attribute: object) => ({
  nodes: [
    node('Site', {attributes: [text('name')]}),
    node('Device', {
      attributes: [text('name'), {name: 'title', kind: 'Text', read_only: true, ...attribute}],
      relationships: [{name: 'site', peer: 'InfraSite', cardinality: 'one'}],
    }),
  ],
});
const jinja = (jinja2_template: string, rest: object = {}) =>
  device({computed_attribute: {kind: 'Jinja2', jinja2_template}, ...rest});

describe('computed attributes', () => {
  test.each([
    jinja('{{ name__value | upper }}'),
    jinja('https://{{ site__name__value }}', {kind: 'URL'}),
    device({computed_attribute: {kind: 'TransformPython', transform: 'title'}, optional: true}),
    device({computed_attribute: {kind: 'User'}, read_only: false}),
  ])('case %# is fine', root => {
    expect(pathsRefused(computedAttributes, root)).toEqual([]);
  });

  test.each([
    ['one that can be written', jinja('{{ name__value }}', {read_only: false}), 'read_only'],
    ['one of another kind', jinja('{{ name__value }}', {kind: 'Number'}), 'kind'],
    ['a template that reads itself', jinja('{{ title__value }}'), 'computed_attribute'],
    ['a template over an unknown field', jinja('{{ colour__value }}'), 'computed_attribute'],
    ['a template that cannot be read', jinja('{{ name__value'), 'computed_attribute'],
    [
      'a mandatory one computed by Python',
      device({computed_attribute: {kind: 'TransformPython', transform: 'title'}}),
      'optional',
    ],
  ])('%s is refused', (_, root, property) => {
    expect(pathsRefused(computedAttributes, root)).toEqual([`InfraDevice.title.${property}`]);
  });

  test('removing what a template reads breaks it', () => {
    const removal = {nodes: [node('Site', {attributes: [{name: 'name', state: 'absent'}]})]};
    expect(pathsRefused(computedAttributes, jinja('{{ site__name__value }}'), removal)).toEqual([
      'InfraDevice.title.computed_attribute',
    ]);
  });
});
