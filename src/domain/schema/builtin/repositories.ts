import type {BuiltinRoot} from './builtin-root.ts';

const REPOSITORY = {
  namespace: 'Core',
  branch: 'agnostic',
  include_in_menu: false,
  generate_profile: false,
  icon: 'mdi:source-repository',
  default_filter: 'name__value',
  display_labels: ['name__value'],
  order_by: ['name__value'],
};

const INHERIT_FROM = ['LineageOwner', 'LineageSource', 'CoreGenericRepository', 'CoreTaskTarget'];

export const repositories: BuiltinRoot = {
  generics: [
    {
      ...REPOSITORY,
      name: 'GenericRepository',
      label: 'Git Repository',
      description: 'A Git repository that the service reads',
      uniqueness_constraints: [['name__value'], ['location__value']],
      attributes: [
        {
          name: 'name',
          kind: 'Text',
          unique: true,
          parameters: {regex: '^[^/]*$'},
          branch: 'agnostic',
          allow_override: 'none',
        },
        {name: 'description', kind: 'Text', optional: true, branch: 'agnostic', allow_override: 'none'},
        {name: 'location', kind: 'Text', unique: true, branch: 'agnostic', allow_override: 'none'},
        {
          name: 'internal_status',
          kind: 'Dropdown',
          default_value: 'inactive',
          optional: true,
          branch: 'local',
          allow_override: 'none',
          choices: [
            {
              name: 'staging',
              label: 'Staging',
              color: '#fef08a',
              description: 'Was just added to this branch',
            },
            {name: 'active', label: 'Active', color: '#86efac', description: 'Is followed on this branch'},
            {
              name: 'inactive',
              label: 'Inactive',
              color: '#e5e7eb',
              description: 'Is not followed on this branch',
            },
          ],
        },
        {
          name: 'operational_status',
          kind: 'Dropdown',
          default_value: 'unknown',
          optional: true,
          branch: 'agnostic',
          choices: [
            {name: 'unknown', label: 'Unknown', color: '#9ca3af', description: 'Was not tried yet'},
            {name: 'online', label: 'Online', color: '#86efac', description: 'Answers'},
            {
              name: 'error-cred',
              label: 'Credential Error',
              color: '#f87171',
              description: 'Refuses the credential',
            },
            {
              name: 'error-connection',
              label: 'Connectivity Error',
              color: '#fdba74',
              description: 'Does not answer',
            },
            {name: 'error', label: 'Error', color: '#ef4444', description: 'Answers with an error'},
          ],
        },
        {
          name: 'sync_status',
          kind: 'Dropdown',
          default_value: 'unknown',
          optional: true,
          branch: 'local',
          choices: [
            {name: 'unknown', label: 'Unknown', color: '#9ca3af', description: 'Was not imported yet'},
            {
              name: 'error-import',
              label: 'Import Error',
              color: '#f87171',
              description: 'Could not be imported',
            },
            {name: 'in-sync', label: 'In Sync', color: '#86efac', description: 'Is imported'},
            {name: 'syncing', label: 'Syncing', color: '#a8a29e', description: 'Is being imported'},
          ],
        },
        {
          name: 'status_message',
          kind: 'TextArea',
          optional: true,
          branch: 'local',
          description: 'What could not be done the last time, in words',
        },
      ],
      relationships: [
        {
          name: 'credential',
          peer: 'CoreCredential',
          kind: 'Attribute',
          identifier: 'gitrepository__credential',
          cardinality: 'one',
        },
        {name: 'tags', peer: 'BuiltinTag', kind: 'Attribute', cardinality: 'many'},
        {
          name: 'transformations',
          peer: 'CoreTransformation',
          identifier: 'repository__transformation',
          cardinality: 'many',
        },
        {
          name: 'queries',
          peer: 'CoreGraphQLQuery',
          identifier: 'graphql_query__repository',
          cardinality: 'many',
        },
      ],
    },
  ],
  nodes: [
    {
      ...REPOSITORY,
      name: 'Repository',
      description: 'A Git repository whose branches go with ours',
      inherit_from: INHERIT_FROM,
      attributes: [
        {name: 'default_branch', kind: 'Text', default_value: 'main', optional: true},
        {name: 'commit', kind: 'Text', optional: true, branch: 'local'},
      ],
    },
    {
      ...REPOSITORY,
      name: 'ReadOnlyRepository',
      label: 'Read-Only Repository',
      description: 'A Git repository of which one reference is followed',
      inherit_from: INHERIT_FROM,
      attributes: [
        {name: 'ref', kind: 'Text', default_value: 'main', optional: true, branch: 'aware'},
        {name: 'commit', kind: 'Text', optional: true, branch: 'aware'},
      ],
    },
  ],
};
