import type {BuiltinRoot} from './builtin-root.ts';

const GROUP = {
  include_in_menu: false,
  generate_profile: false,
  icon: 'mdi:account-group',
  default_filter: 'name__value',
  display_labels: ['name__value'],
  order_by: ['name__value'],
  inherit_from: ['CoreGroup'],
};

export const groups: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'Group',
      description: 'Objects that belong together',
      include_in_menu: false,
      generate_profile: false,
      hierarchical: true,
      icon: 'mdi:group',
      default_filter: 'name__value',
      display_labels: ['label__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'label', kind: 'Text', optional: true},
        {name: 'description', kind: 'Text', optional: true},
        {
          name: 'group_type',
          kind: 'Text',
          enum: ['default', 'internal'],
          default_value: 'default',
          optional: true,
        },
      ],
      relationships: [
        {name: 'members', peer: 'CoreNode', identifier: 'group_member', cardinality: 'many'},
        {name: 'subscribers', peer: 'CoreNode', identifier: 'group_subscriber', cardinality: 'many'},
      ],
    },
  ],
  nodes: [
    {
      ...GROUP,
      namespace: 'Core',
      name: 'StandardGroup',
      label: 'Standard Group',
      description: 'A group of any objects',
    },
    {
      ...GROUP,
      namespace: 'Core',
      name: 'GraphQLQueryGroup',
      label: 'GraphQL Query Group',
      description: 'The objects that one run of a stored query touched',
      branch: 'local',
      attributes: [
        {name: 'parameters', kind: 'JSON', optional: true},
        {
          name: 'kinds',
          kind: 'List',
          optional: true,
          description: 'Kinds of which any object may enter the answer by a change of its own',
        },
      ],
      relationships: [
        {
          name: 'query',
          peer: 'CoreGraphQLQuery',
          kind: 'Attribute',
          identifier: 'graphql_query__query_group',
          cardinality: 'one',
          optional: false,
        },
      ],
    },
    {
      ...GROUP,
      namespace: 'Core',
      name: 'RepositoryGroup',
      label: 'Repository Group',
      description: 'The objects that a repository brought in',
      attributes: [
        {
          name: 'content',
          kind: 'Dropdown',
          choices: [
            {name: 'object', description: 'Objects of any kind'},
            {name: 'menu', description: 'Menu items'},
          ],
        },
      ],
      relationships: [
        {name: 'repository', peer: 'CoreGenericRepository', kind: 'Attribute', cardinality: 'one'},
      ],
    },
  ],
};
