/**
 * The closed words of the schema language.
 *
 * A property of the language keeps one name everywhere (`human_friendly_id`, `min_count`): in documents, in
 * definitions, in processed kinds, in diffs, in the names of constraints and on the wire. That is why the
 * types of this room spell those properties in snake case; what is ours alone is in camel case.
 */
export const BRANCH_SUPPORTS = ['aware', 'agnostic', 'local'] as const;
export type BranchSupport = (typeof BRANCH_SUPPORTS)[number];

/** `Group`, `Hierarchy`, `Profile` and `Template` are made by the service, never declared. */
export const RELATIONSHIP_KINDS = [
  'Generic',
  'Attribute',
  'Component',
  'Parent',
  'Group',
  'Hierarchy',
  'Profile',
  'Template',
] as const;
export type RelationshipKind = (typeof RELATIONSHIP_KINDS)[number];

export const DECLARABLE_RELATIONSHIP_KINDS: readonly RelationshipKind[] = [
  'Generic',
  'Attribute',
  'Component',
  'Parent',
];

export const CARDINALITIES = ['one', 'many'] as const;
export type Cardinality = (typeof CARDINALITIES)[number];

export const DIRECTIONS = ['bidirectional', 'outbound', 'inbound'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const DELETE_BEHAVIOURS = ['no-action', 'cascade'] as const;
export type DeleteBehaviour = (typeof DELETE_BEHAVIOURS)[number];

export const OVERRIDES = ['none', 'any'] as const;
export type Override = (typeof OVERRIDES)[number];

export const STATES = ['present', 'absent'] as const;
export type State = (typeof STATES)[number];

export const COMPUTED_KINDS = ['User', 'Jinja2', 'TransformPython'] as const;
export type ComputedKind = (typeof COMPUTED_KINDS)[number];

export type ComputedAttribute =
  | {readonly kind: 'User'}
  | {readonly kind: 'Jinja2'; readonly jinja2_template: string}
  | {readonly kind: 'TransformPython'; readonly transform: string};

/** Namespaces whose kinds come with the service; documents may only extend them. */
export const RESTRICTED_NAMESPACES: ReadonlySet<string> = new Set([
  'Account',
  'Branch',
  'Core',
  'Deprecated',
  'Diff',
  'Infrahub',
  'Internal',
  'Lineage',
  'Profile',
  'Schema',
  'Service',
  'Template',
]);

export const HIERARCHY_FIELDS = ['parent', 'children', 'ancestors', 'descendants'] as const;

export const HIERARCHY_IDENTIFIER = 'parent__child';
export const GROUP_MEMBER_IDENTIFIER = 'group_member';
export const GROUP_SUBSCRIBER_IDENTIFIER = 'group_subscriber';
export const PROFILE_IDENTIFIER = 'node__profile';
export const TEMPLATE_IDENTIFIER = 'node__objecttemplate';

/** Whether kinds of the namespace come with the service, and so may use names that others may not. */
export const isServiceNamespace = (namespace: string): boolean =>
  namespace === 'Builtin' || RESTRICTED_NAMESPACES.has(namespace);
