import type {GlobalAction, ObjectAction} from '../../domain/access/access.ts';
import {isKindOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {authorize} from '../caller.ts';
import type {WriteScope} from '../write.ts';

/** Kinds that decide who may do what, or what the service runs: changing them needs more than the right to a kind. */
const GUARDED: readonly (readonly [kind: string, action: GlobalAction])[] = [
  ['CoreGenericAccount', 'manage_accounts'],
  ['CoreAccountGroup', 'manage_accounts'],
  ['CoreAccountRole', 'manage_accounts'],
  ['CoreBasePermission', 'manage_permissions'],
  ['CoreGenericRepository', 'manage_repositories'],
];

/** Refuses a change of objects of a kind that the caller may not make. */
export function authorizeChange(
  scope: WriteScope,
  action: Exclude<ObjectAction, 'view'>,
  kind: string,
): void {
  const {caller, onDefaultBranch} = scope;
  const guard = guardOf(scope.schema, kind);
  if (guard !== undefined) authorize(caller, {is: 'global', action: guard});
  authorize(caller, {is: 'object', action, kind, onDefaultBranch});
}

function guardOf(schema: Schema, kind: string): GlobalAction | undefined {
  return GUARDED.find(([guarded]) => isKindOf(schema, kind, guarded))?.[1];
}
