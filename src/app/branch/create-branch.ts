import type {Branch} from '../../domain/branch/branch.ts';
import {parseBranchName} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {TaskEffects} from '../../ports/task-queue.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';

export interface CreateBranch {
  readonly name: string;
  /** Absent: the default branch. */
  readonly origin?: string;
  /** The instant of the origin to start from; absent: now. */
  readonly at?: Instant;
  readonly description?: string;
  readonly syncWithGit?: boolean;
}

type Deps = Pick<Services, 'store'>;

/** Makes a branch of any branch, as that is now or was at a past instant. */
export async function createBranch(
  deps: Deps,
  caller: Caller,
  request: CreateBranch,
  tasks?: TaskEffects,
): Promise<Branch> {
  const name = parseBranchName(request.name);
  const origin =
    request.origin === undefined
      ? deps.store.defaultBranch
      : (await deps.store.branch(request.origin as Branch['name'])).name;
  return deps.store.createBranch(
    {
      name,
      origin,
      description: request.description ?? '',
      syncWithGit: request.syncWithGit ?? true,
      ...(request.at === undefined ? {} : {at: request.at}),
    },
    {account: caller.account},
    tasks,
  );
}
