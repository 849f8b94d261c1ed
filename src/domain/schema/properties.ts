import type {AttributeSchema, KindSchema, RelationshipSchema} from './schema.ts';

/**
 * The visible properties of processed elements, in the order the API shows them: hashes cover them, diffs
 * compare them. Ids are not among them.
 */
const KIND_PROPERTIES = [
  'name',
  'namespace',
  'label',
  'description',
  'branch',
  'default_filter',
  'human_friendly_id',
  'display_label',
  'display_labels',
  'include_in_menu',
  'menu_placement',
  'icon',
  'order_by',
  'uniqueness_constraints',
  'documentation',
] as const;

const PROPERTIES = {
  node: [
    ...KIND_PROPERTIES,
    'inherit_from',
    'generate_profile',
    'generate_template',
    'hierarchy',
    'parent',
    'children',
  ],
  generic: [
    ...KIND_PROPERTIES,
    'hierarchical',
    'generate_profile',
    'generate_template',
    'used_by',
    'restricted_namespaces',
  ],
  profile: [...KIND_PROPERTIES, 'inherit_from'],
  template: [...KIND_PROPERTIES, 'inherit_from'],
} as const satisfies Record<KindSchema['type'], readonly string[]>;

export function propertiesOfKind(type: KindSchema['type']): readonly string[] {
  return PROPERTIES[type];
}

const FIELD_PROPERTIES = [
  'name',
  'kind',
  'label',
  'description',
  'optional',
  'read_only',
  'branch',
  'order_weight',
  'inherited',
  'allow_override',
  'deprecation',
  'display',
] as const;

export const ATTRIBUTE_PROPERTIES = [
  ...FIELD_PROPERTIES,
  'default_value',
  'unique',
  'enum',
  'choices',
  'parameters',
  'computed_attribute',
] as const satisfies readonly (keyof AttributeSchema)[];

export const RELATIONSHIP_PROPERTIES = [
  ...FIELD_PROPERTIES,
  'peer',
  'identifier',
  'cardinality',
  'min_count',
  'max_count',
  'common_parent',
  'common_relatives',
  'direction',
  'on_delete',
  'hierarchical',
] as const satisfies readonly (keyof RelationshipSchema)[];
