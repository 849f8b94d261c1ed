import type {BuiltinRoot} from './builtin-root.ts';

const CONTENT_TYPES = [
  'application/json',
  'application/yaml',
  'application/xml',
  'application/hcl',
  'text/plain',
  'text/markdown',
  'text/csv',
  'image/svg+xml',
];

const ARTIFACT = {
  namespace: 'Core',
  include_in_menu: false,
  generate_profile: false,
  icon: 'mdi:file-document-outline',
  default_filter: 'name__value',
  display_labels: ['name__value'],
  order_by: ['name__value'],
  inherit_from: ['CoreTaskTarget'],
};

export const artifacts: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'ArtifactTarget',
      label: 'Artifact Target',
      description: 'An object that artifacts are made for',
      include_in_menu: false,
      generate_profile: false,
      relationships: [
        {
          name: 'artifacts',
          peer: 'CoreArtifact',
          identifier: 'artifact__node',
          cardinality: 'many',
          on_delete: 'cascade',
        },
      ],
    },
  ],
  nodes: [
    {
      ...ARTIFACT,
      name: 'Artifact',
      description: 'What a transformation made for an object',
      branch: 'local',
      attributes: [
        {name: 'name', kind: 'Text'},
        {name: 'status', kind: 'Text', enum: ['Error', 'Pending', 'Processing', 'Ready']},
        {name: 'content_type', kind: 'Text', enum: CONTENT_TYPES},
        {name: 'checksum', kind: 'Text', optional: true},
        {name: 'storage_id', kind: 'Text', optional: true},
        {name: 'parameters', kind: 'JSON', optional: true},
        {name: 'reason', kind: 'Text', optional: true, description: 'Why it was made the last time'},
        {
          name: 'problem',
          kind: 'TextArea',
          optional: true,
          description: 'Why it could not be made, in words',
        },
      ],
      relationships: [
        {
          name: 'object',
          peer: 'CoreArtifactTarget',
          kind: 'Attribute',
          identifier: 'artifact__node',
          cardinality: 'one',
          optional: false,
        },
        {
          name: 'definition',
          peer: 'CoreArtifactDefinition',
          kind: 'Attribute',
          identifier: 'artifact__artifact_definition',
          cardinality: 'one',
          optional: false,
        },
      ],
    },
    {
      ...ARTIFACT,
      name: 'ArtifactDefinition',
      label: 'Artifact Definition',
      description: 'Which artifacts to make, for which objects and how',
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'artifact_name', kind: 'Text'},
        {name: 'description', kind: 'Text', optional: true},
        {name: 'parameters', kind: 'JSON'},
        {name: 'content_type', kind: 'Text', enum: CONTENT_TYPES},
      ],
      relationships: [
        {
          name: 'targets',
          peer: 'CoreGroup',
          kind: 'Attribute',
          identifier: 'artifact_definition___group',
          cardinality: 'one',
          optional: false,
        },
        {
          name: 'transformation',
          peer: 'CoreTransformation',
          kind: 'Attribute',
          identifier: 'artifact_definition___transformation',
          cardinality: 'one',
          optional: false,
        },
        {
          name: 'artifacts',
          peer: 'CoreArtifact',
          identifier: 'artifact__artifact_definition',
          cardinality: 'many',
          on_delete: 'cascade',
        },
      ],
    },
  ],
};
