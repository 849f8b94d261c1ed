/** What one request wants to do, as the access rules see it. */
export type Need =
  | {readonly is: 'global'; readonly action: GlobalAction}
  | {
      readonly is: 'object';
      readonly action: ObjectAction;
      readonly kind: string;
      readonly onDefaultBranch: boolean;
      /** Only this attribute of the objects. */
      readonly attribute?: string;
    };

export const GLOBAL_ACTIONS = [
  'edit_default_branch',
  'manage_accounts',
  'manage_permissions',
  'manage_repositories',
  'manage_schema',
  'merge_branch',
  'merge_proposed_change',
  'override_context',
  'super_admin',
] as const;

export type GlobalAction = (typeof GLOBAL_ACTIONS)[number];

export type ObjectAction = 'create' | 'delete' | 'update' | 'view';

/** What a caller may do. Compiled once, asked often. */
export interface Access {
  allows(need: Need): boolean;
}

export const FULL_ACCESS: Access = {allows: () => true};
