import {expect, test} from 'vitest';
import {schemaWarnings} from './schema-warnings.ts';
import {documentOf, node, text} from './test-support/load.ts';

test('a document without old words has no warnings', () => {
  const attributes = [text('name', {parameters: {min_length: 2}})];
  expect(
    schemaWarnings(documentOf({nodes: [node('Device', {attributes, display_label: 'name__value'})]})),
  ).toEqual([]);
});

test('old words are named with the kinds that use them', () => {
  const labels = {display_labels: ['name__value']};
  const warnings = schemaWarnings(
    documentOf({
      nodes: [node('Device', {...labels, default_filter: 'name__value'}), node('Site', labels)],
      extensions: {nodes: [{kind: 'CoreAccount', attributes: [text('phone', {max_length: 9})]}]},
    }),
  );
  expect(warnings).toEqual([
    {
      type: 'deprecation',
      kinds: [
        {kind: 'InfraDevice', field: null},
        {kind: 'InfraSite', field: null},
      ],
      message: expect.stringContaining('display_labels'),
    },
    {
      type: 'deprecation',
      kinds: [{kind: 'InfraDevice', field: null}],
      message: expect.stringContaining('default_filter'),
    },
    {
      type: 'deprecation',
      kinds: [{kind: 'CoreAccount', field: 'phone'}],
      message: expect.stringContaining('max_length'),
    },
  ]);
});

test('a field that is going away says so', () => {
  const [warning] = schemaWarnings(
    documentOf({nodes: [node('Device', {attributes: [text('role', {deprecation: 'Use purpose'})]})]}),
  );
  expect(warning).toEqual({
    type: 'deprecation',
    kinds: [{kind: 'InfraDevice', field: 'role'}],
    message: 'role is deprecated: Use purpose',
  });
});
