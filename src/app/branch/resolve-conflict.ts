import {validationError} from '../../domain/errors.ts';
import type {Side} from '../../domain/merge/conflict.ts';
import {choose} from '../../domain/merge/conflict.ts';
import type {Services} from '../services.ts';
import {branchConflicts} from './branch-conflicts.ts';
import {parseConflictName} from './conflict-name.ts';

export interface ResolveConflict {
  /** As `conflictName` gives it. */
  readonly conflict: string;
  /** Null: undecided again. */
  readonly side: Side | null;
}

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'>;

/** Chooses a side in a conflict; the choice holds while both sides stay as they are. */
export async function resolveConflict(deps: Deps, request: ResolveConflict): Promise<void> {
  const {branchId, id} = parseConflictName(request.conflict);
  const branch = (await deps.store.branches()).find(each => each.id === branchId);
  const conflicts = branch === undefined ? [] : await branchConflicts(deps, branch.name);
  const conflict = conflicts.find(each => each.id === id);
  if (branch === undefined || conflict === undefined) {
    throw validationError(`There is no conflict with the id ${request.conflict}; it may have been cleared`, {
      conflict: request.conflict,
    });
  }
  await deps.merges.choose(branch.name, id, request.side === null ? null : choose(conflict, request.side));
}
