import type {Json} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import {GitFailure, type GitHost} from '../../ports/git-host.ts';
import type {Services} from '../services.ts';
import {trackedCommit} from './find-repository.ts';
import {remoteOf} from './remote-of.ts';
import type {RepositoryBranchTask} from './repository-workflows.ts';

type Deps = Pick<Services, 'store'> & {readonly git: GitHost};

/** Makes the Git branch of a branch at the commit that the branch has, unless there is one of that name. */
export async function createGitBranch(
  {store, git}: Deps,
  {repository: id, branch}: RepositoryBranchTask,
): Promise<Json> {
  if (!(await store.branches()).some(({name}) => name === branch)) return {commit: null};
  const snapshot = await store.snapshot({branch});
  const repository = await snapshot.node(id);
  const commit = repository === undefined ? undefined : trackedCommit(repository);
  if (repository === undefined || commit === undefined) return {commit: null};
  try {
    await git.createBranch(await remoteOf(snapshot, repository), {name: branch, commit});
  } catch (error) {
    if (error instanceof GitFailure) throw validationError(error.message, {repository: id});
    throw error;
  }
  return {commit};
}
