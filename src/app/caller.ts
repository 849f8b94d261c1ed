import type {Access, GlobalAction, Need} from '../domain/access/access.ts';
import {splitKind} from '../domain/access/split-kind.ts';
import {permissionDenied} from '../domain/errors.ts';
import type {NodeId} from '../domain/graph/node-id.ts';

/** Who asks, and what they may do. */
export interface Caller {
  /** Null for the service itself and for anonymous callers. */
  readonly account: NodeId | null;
  readonly access: Access;
  /** The session that they act in, when they do. */
  readonly session?: NodeId;
}

const REFUSALS = {
  edit_default_branch: 'You are not allowed to change data in the default branch',
  manage_accounts: 'You are not allowed to manage user accounts, groups or roles',
  manage_permissions: 'You are not allowed to manage permissions',
  manage_repositories: 'You are not allowed to manage repositories',
  manage_schema: 'You are not allowed to manage the schema',
  merge_branch: 'You are not allowed to merge a branch',
  merge_proposed_change: 'You are not allowed to merge proposed changes',
  override_context: 'You are not allowed to act for another account',
  super_admin: 'You are not allowed to administer the service',
} as const satisfies Record<GlobalAction, string>;

/** Refuses what the caller may not do, before anything is read or written for it. */
export function authorize(caller: Caller, need: Need): void {
  if (caller.access.allows(need)) return;
  if (need.is === 'global') throw permissionDenied(REFUSALS[need.action], {action: need.action});
  const decision = need.onDefaultBranch ? 'allow_default' : 'allow_other';
  const {namespace, name} = splitKind(need.kind);
  const attribute = need.attribute === undefined ? '' : `:${need.attribute}`;
  throw permissionDenied(
    `You do not have the following permission: object:${namespace}:${name}:${need.action}:${decision}${attribute}`,
    {action: need.action, kind: need.kind},
  );
}
