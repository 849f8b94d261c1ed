import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {Caller} from '../caller.ts';
import {authorize} from '../caller.ts';
import type {Services} from '../services.ts';

const DESCRIPTION_LENGTH_MAX = 4096;

type Deps = Pick<Services, 'store' | 'merges'>;

/** Says what a branch is for. */
export async function updateBranch(
  deps: Deps,
  caller: Caller,
  request: {readonly branch: BranchName; readonly description: string},
): Promise<void> {
  if (request.description.length > DESCRIPTION_LENGTH_MAX) {
    throw validationError(`The description of a branch has at most ${DESCRIPTION_LENGTH_MAX} characters`);
  }
  const {isDefault, name} = await deps.store.branch(request.branch);
  if (isDefault) authorize(caller, {is: 'global', action: 'edit_default_branch'});
  await deps.merges.describe(name, request.description);
}
