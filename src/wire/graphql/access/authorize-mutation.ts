import {authorize} from '../../../app/caller.ts';
import {MUTATION_ALIASES} from '../aliases.ts';
import type {FieldContext} from '../engine.ts';

/** Mutations that leave the data of the default branch as it is, also when they are sent there. */
const HARMLESS: ReadonlySet<string> = new Set([
  'BranchCreate',
  'BranchDelete',
  'BranchRebase',
  'BranchRevert',
  'BranchUpdate',
  'BranchValidate',
  'DiffUpdate',
  'InfrahubAccountTokenCreate',
  'ServiceAccountTokenCreate',
  'ServiceAccountTokenDelete',
  'ServiceAccountSelfUpdate',
  'ServiceReadOnlyRepositoryImportLastCommit',
  'ServiceRepositoryConnectivity',
  'ServiceRepositoryProcess',
  'ServiceTaskCancel',
  'ResolveDiffConflict',
]);

/** Refuses a mutation of no kind on the default branch to those who may not edit it. */
export function authorizeMutation({caller, branch, services}: FieldContext, field: string): void {
  if (branch !== services.store.defaultBranch || HARMLESS.has(MUTATION_ALIASES[field] ?? field)) return;
  authorize(caller, {is: 'global', action: 'edit_default_branch'});
}
