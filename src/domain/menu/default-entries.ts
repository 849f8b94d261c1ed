import type {MenuEntry, MenuSection} from './menu.ts';

interface Branch extends Pick<MenuEntry, 'name' | 'label' | 'path' | 'icon' | 'kind' | 'permissions'> {
  readonly children?: readonly Branch[];
}

const WEIGHT_STEP = 1000;

/** Where kinds go whose own place does not exist. */
export const OTHER = 'BuiltinOther';

function entries(
  section: MenuSection,
  orderWeight: number,
  {children = [], ...own}: Branch,
  parent?: string,
): readonly PlacedEntry[] {
  const entry = {...own, namespace: 'Builtin', section, orderWeight, isProtected: true};
  return [
    {entry, parent},
    ...children.flatMap((child, index) =>
      entries(section, (index + 1) * WEIGHT_STEP, child, `Builtin${own.name}`),
    ),
  ];
}

export interface PlacedEntry {
  readonly entry: MenuEntry;
  /** The identifier of the entry above it; absent at the top. */
  readonly parent: string | undefined;
}

const kindBranch = (kind: string, label: string, icon?: string): Branch => ({
  name: kind.replace(/^(?:Core|Builtin)/, ''),
  label,
  kind,
  path: `/objects/${kind}`,
  ...(icon === undefined ? {} : {icon}),
});

/** What the menu has before anybody adds to it. */
export const DEFAULT_ENTRIES: readonly PlacedEntry[] = [
  ...entries('object', 10_000, {
    name: 'Other',
    label: 'Other',
    icon: 'mdi:cube-outline',
    children: [kindBranch('BuiltinTag', 'Tags', 'mdi:tag-multiple')],
  }),
  ...entries('internal', 1500, {
    name: 'Branches',
    label: 'Branches',
    path: '/branches',
    icon: 'mdi:source-branch',
  }),
  ...entries('internal', 2000, {
    name: 'ObjectManagement',
    label: 'Object Management',
    icon: 'mdi:cube-outline',
    children: [
      kindBranch('CoreGroup', 'Groups', 'mdi:account-group'),
      kindBranch('CoreProfile', 'Profiles', 'mdi:shape-plus-outline'),
      kindBranch('CoreObjectTemplate', 'Templates', 'mdi:shape'),
      kindBranch('CoreArtifact', 'Artifacts', 'mdi:file-document-outline'),
      {name: 'Schema', label: 'Schema', path: '/schema', icon: 'mdi:file-code-outline'},
      kindBranch('CoreGraphQLQuery', 'GraphQL Queries', 'mdi:graphql'),
    ],
  }),
  ...entries('internal', 2500, {
    name: 'Actions',
    label: 'Actions',
    icon: 'mdi:code-tags',
    children: [
      kindBranch('CoreArtifactDefinition', 'Artifact Definitions', 'mdi:file-document-multiple-outline'),
      kindBranch('CoreTransformation', 'Transformations', 'mdi:swap-horizontal'),
    ],
  }),
  ...entries('internal', 3000, {
    name: 'Integration',
    label: 'Integration',
    icon: 'mdi:connection',
    children: [
      kindBranch('CoreGenericRepository', 'Git Repositories', 'mdi:source-repository'),
      kindBranch('CoreCredential', 'Credentials', 'mdi:shield-lock-outline'),
    ],
  }),
  ...entries('internal', 4000, {
    name: 'Activity',
    label: 'Activity',
    icon: 'mdi:timeline-text-outline',
    children: [
      {name: 'Tasks', label: 'Tasks', path: '/tasks', icon: 'mdi:format-list-checks'},
      {name: 'Activities', label: 'Activities', path: '/activities', icon: 'mdi:history'},
    ],
  }),
  ...entries('internal', 10_000, {
    name: 'Admin',
    label: 'Admin',
    icon: 'mdi:cog-outline',
    permissions: ['global:super_admin:allow_all'],
    children: [
      {name: 'RoleManagement', label: 'Role Management', path: '/role-management', icon: 'mdi:account-key'},
      kindBranch('CoreMenuItem', 'Menu', 'mdi:menu'),
    ],
  }),
];
