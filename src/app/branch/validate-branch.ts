import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Conflict, ConflictSide} from '../../domain/merge/conflict.ts';
import {conflictPath} from '../../domain/merge/conflict-path.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {hiddenAmong} from './conflict-name.ts';
import {mergeOutcome, originOf} from './merge-branch.ts';
import {conflictsSeenBy} from './seen-by.ts';

export interface Validation {
  readonly isMergeable: boolean;
  /** What stands in the way, one sentence each. */
  readonly messages: readonly string[];
}

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'>;

/** Tries the merge of a branch and tells what would refuse it; nothing changes. */
export async function validateBranch(deps: Deps, caller: Caller, branch: BranchName): Promise<Validation> {
  await originOf(deps, branch);
  try {
    const outcome = await mergeOutcome(deps, {branch, isDryRun: true});
    const conflicts = outcome.is === 'conflicted' ? outcome.conflicts : [];
    const seen = await conflictsSeenBy(deps, caller, await deps.store.branch(branch), conflicts);
    const hidden = hiddenAmong(conflicts, seen);
    const messages = seen.filter(conflict => conflict.choice === undefined).map(sentence);
    if (hidden !== undefined) messages.push(`Conflicts: ${hidden}`);
    return {isMergeable: messages.length === 0, messages};
  } catch (error) {
    const isRefusal =
      error instanceof ServiceError &&
      (error.code === 'CONSTRAINT_VIOLATION' || error.code === 'VALIDATION_ERROR');
    if (!isRefusal) throw error;
    return {isMergeable: false, messages: [error.message]};
  }
}

function sentence({subject, branch, origin}: Conflict): string {
  const place = `Conflict at ${conflictPath(subject)}`;
  if (subject.is === 'unique') {
    return `${place}: ${subject.node} of the branch and ${subject.other} of its origin claim the same ${subject.fields.join(', ')}`;
  }
  return `${place}: ${side(branch)} on the branch, ${side(origin)} on its origin`;
}

const side = ({action, value}: ConflictSide): string =>
  value === null ? action : `${action} to ${JSON.stringify(value)}`;
