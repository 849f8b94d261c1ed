import type {BuiltinRoot} from './builtin-root.ts';

const TRANSFORMATION = {
  namespace: 'Core',
  include_in_menu: false,
  generate_profile: false,
  icon: 'mdi:cog-transfer',
  default_filter: 'name__value',
  display_labels: ['name__value'],
  order_by: ['name__value'],
  inherit_from: ['CoreTransformation'],
};

export const transformations: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'Transformation',
      description: 'Turns the answer of a query into another form',
      include_in_menu: false,
      generate_profile: false,
      icon: 'mdi:cog-transfer',
      default_filter: 'name__value',
      display_labels: ['label__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'label', kind: 'Text', optional: true},
        {name: 'description', kind: 'Text', optional: true},
        {name: 'timeout', kind: 'Number', default_value: 10, optional: true},
      ],
      relationships: [
        {
          name: 'query',
          peer: 'CoreGraphQLQuery',
          kind: 'Attribute',
          identifier: 'graphql_query__transformation',
          cardinality: 'one',
          optional: false,
        },
        {
          name: 'repository',
          peer: 'CoreGenericRepository',
          kind: 'Attribute',
          identifier: 'repository__transformation',
          cardinality: 'one',
          optional: false,
        },
        {name: 'tags', peer: 'BuiltinTag', kind: 'Attribute', cardinality: 'many'},
      ],
    },
  ],
  nodes: [
    {
      ...TRANSFORMATION,
      name: 'TransformJinja2',
      label: 'Transform Jinja2',
      description: 'A template in a repository',
      attributes: [{name: 'template_path', kind: 'Text'}],
    },
    {
      ...TRANSFORMATION,
      name: 'TransformPython',
      label: 'Transform Python',
      description: 'A Python class in a repository',
      attributes: [
        {name: 'file_path', kind: 'Text'},
        {name: 'class_name', kind: 'Text'},
        {name: 'convert_query_response', kind: 'Boolean', default_value: false, optional: true},
      ],
    },
    {
      namespace: 'Core',
      name: 'GraphQLQuery',
      label: 'GraphQL Query',
      description: 'A query that is kept under a name',
      include_in_menu: false,
      generate_profile: false,
      icon: 'mdi:graphql',
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'description', kind: 'Text', optional: true},
        {name: 'query', kind: 'TextArea'},
        {name: 'variables', kind: 'JSON', optional: true, read_only: true},
        {name: 'operations', kind: 'List', optional: true, read_only: true},
        {name: 'models', kind: 'List', optional: true, read_only: true},
        {name: 'depth', kind: 'Number', optional: true, read_only: true},
        {name: 'height', kind: 'Number', optional: true, read_only: true},
      ],
      relationships: [
        {
          name: 'repository',
          peer: 'CoreGenericRepository',
          kind: 'Attribute',
          identifier: 'graphql_query__repository',
          cardinality: 'one',
        },
        {
          name: 'query_groups',
          peer: 'CoreGraphQLQueryGroup',
          identifier: 'graphql_query__query_group',
          cardinality: 'many',
          on_delete: 'cascade',
        },
        {name: 'tags', peer: 'BuiltinTag', kind: 'Attribute', cardinality: 'many'},
      ],
    },
  ],
};
