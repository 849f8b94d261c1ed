import type {BranchName} from '../../domain/branch/branch.ts';
import type {TaskEffects} from '../../ports/task-queue.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';

type Deps = Pick<Services, 'store'>;

/** Ends a branch that no other stands on; what it wrote is gone for every reader at once. */
export async function deleteBranch(
  deps: Deps,
  caller: Caller,
  branch: BranchName,
  tasks?: TaskEffects,
): Promise<void> {
  await deps.store.deleteBranch(branch, {account: caller.account}, tasks);
}
