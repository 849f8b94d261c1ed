import type {GlobalAction, ObjectAction} from '../../domain/access/access.ts';
import {isKindOf, kindOf} from '../../domain/schema/lookup.ts';
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

/** Refuses a change of objects of a kind, or of some of their attributes, that the caller may not make. */
export function authorizeChange(
  scope: WriteScope,
  action: Exclude<ObjectAction, 'view'>,
  kind: string,
  attributes: Iterable<string> = [],
): void {
  const {caller, onDefaultBranch} = scope;
  if (action === 'delete' && goesAlong(scope.schema, kind)) return;
  const guard = guardOf(scope.schema, kind);
  if (guard !== undefined) {
    authorize(caller, {is: 'global', action: guard});
    scope.noteGuarded?.({action, kind});
  }
  const need = {is: 'object', action, kind, onDefaultBranch} as const;
  authorize(caller, need);
  for (const attribute of attributes) authorize(caller, {...need, attribute});
}

/** The service's own records go with what they are about; nobody is given a right to them. */
const goesAlong = (schema: Schema, kind: string): boolean => kindOf(schema, kind)?.namespace === 'Internal';

function guardOf(schema: Schema, kind: string): GlobalAction | undefined {
  return GUARDED.find(([guarded]) => isKindOf(schema, kind, guarded))?.[1];
}
