import type {
  AttributeDefinition,
  GenericDefinition,
  NodeDefinition,
  RelationshipDefinition,
} from './source.ts';

type Identity = 'type' | 'id' | 'name' | 'namespace' | 'attributes' | 'relationships';

export type NodeProperties = Omit<NodeDefinition, Identity | 'late'>;
export type GenericProperties = Omit<GenericDefinition, Identity>;
export type AttributeProperties = Omit<AttributeDefinition, 'id' | 'name' | 'kind' | 'order_weight'>;
export type RelationshipProperties = Omit<
  RelationshipDefinition,
  'id' | 'name' | 'peer' | 'identifier' | 'order_weight'
>;

/**
 * What a property is when nobody said anything. A property whose default is null keeps its stored value
 * when a later document leaves it out; any other falls back to the default written here.
 */
const KIND_DEFAULTS = {
  label: null,
  description: null,
  branch: 'aware',
  human_friendly_id: null,
  display_label: null,
  display_labels: null,
  default_filter: null,
  order_by: null,
  uniqueness_constraints: null,
  include_in_menu: true,
  menu_placement: null,
  icon: null,
  documentation: null,
  generate_profile: true,
  generate_template: false,
} as const;

export const NODE_DEFAULTS: NodeProperties = {
  ...KIND_DEFAULTS,
  inherit_from: [],
  hierarchy: null,
  parent: null,
  children: null,
};

export const GENERIC_DEFAULTS: GenericProperties = {
  ...KIND_DEFAULTS,
  hierarchical: false,
  restricted_namespaces: null,
};

const FIELD_DEFAULTS = {
  label: null,
  description: null,
  deprecation: null,
  display: null,
  branch: null,
  read_only: false,
  allow_override: 'any',
} as const;

export const ATTRIBUTE_DEFAULTS: AttributeProperties = {
  ...FIELD_DEFAULTS,
  optional: false,
  default_value: null,
  unique: false,
  enum: null,
  choices: null,
  parameters: {},
  computed_attribute: null,
};

export const RELATIONSHIP_DEFAULTS: RelationshipProperties = {
  ...FIELD_DEFAULTS,
  optional: true,
  kind: 'Generic',
  cardinality: 'many',
  min_count: 0,
  max_count: 0,
  common_parent: null,
  common_relatives: null,
  direction: 'bidirectional',
  on_delete: null,
};
