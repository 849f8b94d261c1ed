import type {BuiltinRoot} from './builtin-root.ts';

const DECISION = {name: 'decision', kind: 'Number', enum: [1, 2, 4, 6], default_value: 6, optional: true};

/** Each with what it allows. */
const GLOBAL_ACTIONS = {
  edit_default_branch: 'Change data on the default branch',
  super_admin: 'Everything',
  merge_branch: 'Merge branches',
  merge_proposed_change: 'Merge proposed changes',
  manage_schema: 'Load schemas',
  manage_accounts: 'Manage accounts, groups and roles',
  manage_permissions: 'Manage permissions',
  manage_repositories: 'Manage repositories',
  override_context: 'Act in the name of another account',
};

export const permissions: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'BasePermission',
      label: 'Permission',
      description: 'Something that roles allow or deny',
      include_in_menu: false,
      generate_profile: false,
      icon: 'mdi:user-key',
      attributes: [
        {name: 'description', kind: 'Text', optional: true},
        {name: 'identifier', kind: 'Text', optional: true, read_only: true, allow_override: 'none'},
      ],
      relationships: [
        {
          name: 'roles',
          peer: 'CoreAccountRole',
          kind: 'Attribute',
          identifier: 'role__permissions',
          cardinality: 'many',
        },
      ],
    },
  ],
  nodes: [
    {
      namespace: 'Core',
      name: 'GlobalPermission',
      label: 'Global Permission',
      description: 'An action on the service as a whole',
      branch: 'agnostic',
      include_in_menu: false,
      generate_profile: false,
      human_friendly_id: ['action__value', 'decision__value'],
      display_labels: ['action__value', 'decision__value'],
      order_by: ['action__value', 'decision__value'],
      inherit_from: ['CoreBasePermission'],
      attributes: [
        {
          name: 'action',
          kind: 'Dropdown',
          choices: Object.entries(GLOBAL_ACTIONS).map(([name, description]) => ({name, description})),
        },
        DECISION,
      ],
    },
    {
      namespace: 'Core',
      name: 'ObjectPermission',
      label: 'Object Permission',
      description: 'An action on the objects of some kinds, or on one attribute of them',
      include_in_menu: false,
      generate_profile: false,
      human_friendly_id: [
        'namespace__value',
        'name__value',
        'action__value',
        'decision__value',
        'attribute__value',
      ],
      display_labels: ['namespace__value', 'name__value', 'action__value', 'decision__value'],
      order_by: ['namespace__value', 'name__value', 'action__value', 'decision__value'],
      inherit_from: ['CoreBasePermission'],
      attributes: [
        {name: 'namespace', kind: 'Text'},
        {name: 'name', kind: 'Text'},
        {
          name: 'action',
          kind: 'Text',
          enum: ['any', 'create', 'update', 'delete', 'view'],
          default_value: 'any',
          optional: true,
        },
        DECISION,
        {
          name: 'attribute',
          kind: 'Text',
          optional: true,
          default_value: '',
          description: 'The one attribute it is about; empty: the whole object',
        },
      ],
    },
    {
      namespace: 'Core',
      name: 'AccountRole',
      label: 'Account Role',
      description: 'Permissions that are given together',
      include_in_menu: false,
      generate_profile: false,
      icon: 'mdi:user-badge',
      human_friendly_id: ['name__value'],
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      attributes: [{name: 'name', kind: 'Text', unique: true}],
      relationships: [
        {
          name: 'groups',
          peer: 'CoreAccountGroup',
          kind: 'Attribute',
          identifier: 'role__accountgroups',
          cardinality: 'many',
        },
        {
          name: 'permissions',
          peer: 'CoreBasePermission',
          kind: 'Attribute',
          identifier: 'role__permissions',
          cardinality: 'many',
        },
      ],
    },
    {
      namespace: 'Core',
      name: 'AccountGroup',
      label: 'Account Group',
      description: 'Accounts that have the same roles',
      branch: 'agnostic',
      include_in_menu: false,
      generate_profile: false,
      icon: 'mdi:account-group',
      human_friendly_id: ['name__value'],
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      inherit_from: ['LineageOwner', 'LineageSource', 'CoreGroup'],
      attributes: [
        {name: 'origin', kind: 'Text', optional: true, description: 'The identity provider it comes from'},
      ],
      relationships: [
        {
          name: 'roles',
          peer: 'CoreAccountRole',
          kind: 'Attribute',
          identifier: 'role__accountgroups',
          cardinality: 'many',
        },
      ],
    },
  ],
};
