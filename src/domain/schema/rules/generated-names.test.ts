import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {generatedNames} from './generated-names.ts';

const relationship = (name: string) => ({name, peer: 'BuiltinTag'});

describe('names that the service uses', () => {
  test('ordinary names are free', () => {
    expect(pathsRefused(generatedNames, {nodes: [node('Device', {attributes: [text('name')]})]})).toEqual([]);
  });

  test.each(['member_of_groups', 'subscriber_of_groups', 'profiles', 'profile_name', 'related_nodes'])(
    'no field is called %s',
    name => {
      expect(pathsRefused(generatedNames, {nodes: [node('Device', {attributes: [text(name)]})]})).toEqual([
        `InfraDevice.${name}.name`,
      ]);
    },
  );

  test('profiles is free on a kind without a profile', () => {
    const root = {
      nodes: [node('Device', {generate_profile: false, relationships: [relationship('profiles')]})],
    };
    expect(pathsRefused(generatedNames, root)).toEqual([]);
  });

  test('object_template is taken once the kind has a template', () => {
    const device = {relationships: [relationship('object_template')]};
    expect(pathsRefused(generatedNames, {nodes: [node('Device', device)]})).toEqual([]);
    const later = {nodes: [node('Device', {generate_template: true})]};
    expect(pathsRefused(generatedNames, {nodes: [node('Device', device)]}, later)).toEqual([
      'InfraDevice.object_template.name',
    ]);
  });

  test('parent and children are taken in a hierarchy only', () => {
    const fields = {
      relationships: [relationship('parent'), relationship('children')].map((each, index) => ({
        ...each,
        identifier: `own_${index}`,
      })),
    };
    expect(pathsRefused(generatedNames, {generics: [node('Location', fields)]})).toEqual([]);
    expect(
      pathsRefused(generatedNames, {generics: [node('Location', {...fields, hierarchical: true})]}),
    ).toEqual(['InfraLocation.parent.name', 'InfraLocation.children.name']);
  });
});
