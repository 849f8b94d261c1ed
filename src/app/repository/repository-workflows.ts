import {isJsonObject, type Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GitCommit} from '../../domain/repository/git-commit.ts';
import type {NewTask} from '../../domain/task/task.ts';
import {taskOf, type Workflow} from '../task/workflow.ts';

export interface SyncTask {
  readonly repository: NodeId;
  /** Also what is up to date, as somebody asked for it. */
  readonly isForced: boolean;
}

export interface RepositoryBranchTask {
  readonly repository: NodeId;
  readonly branch: BranchName;
}

export interface ImportTask extends RepositoryBranchTask {
  /** The commit that was seen; by the time it is imported there may be a later one. */
  readonly commit: GitCommit | null;
}

const SYNC_SECONDS_MAX = 7200;
const IMPORT_SECONDS_MAX = 3600;

function read<Input>(input: Json): Input {
  if (!isJsonObject(input) || typeof input.repository !== 'string') {
    throw validationError('The input of the task names no repository');
  }
  return input as unknown as Input;
}

/** Fetches a repository and queues the import of every branch that has moved. */
export const REPOSITORY_SYNC: Workflow<SyncTask> = {
  name: 'git-repository-sync',
  read,
  secondsMax: SYNC_SECONDS_MAX,
  attemptsMax: 3,
  // One that does not answer must leave room for other work.
  parallelMax: 2,
};

/** Brings a branch in step with the commit that its Git branch has when the task starts. */
export const REPOSITORY_IMPORT: Workflow<ImportTask> = {
  name: 'git-repository-import',
  read,
  secondsMax: IMPORT_SECONDS_MAX,
  attemptsMax: 3,
  changesData: true,
};

/** Makes the Git branch of a new branch. */
export const REPOSITORY_BRANCH: Workflow<RepositoryBranchTask> = {
  name: 'git-repository-branch-create',
  read,
  secondsMax: SYNC_SECONDS_MAX,
  attemptsMax: 3,
};

export const REPOSITORY_WORKFLOWS = [REPOSITORY_SYNC, REPOSITORY_IMPORT, REPOSITORY_BRANCH];

const related = (id: NodeId) => [{id, kind: 'CoreGenericRepository'}];

export const syncTask = (repository: NodeId, name: string, isForced = false): NewTask =>
  taskOf(
    REPOSITORY_SYNC,
    {repository, isForced},
    {
      title: `Fetch the repository ${name}`,
      relatedNodes: related(repository),
      key: {text: `git-sync ${repository} ${isForced}`, held: 'until-start'},
    },
  );

export const importTask = (
  repository: NodeId,
  name: string,
  branch: BranchName,
  commit: GitCommit | null,
): NewTask =>
  taskOf(
    REPOSITORY_IMPORT,
    {repository, branch, commit},
    {
      title: `Import the repository ${name} into ${branch}`,
      branch,
      relatedNodes: related(repository),
      key: {text: `git-import ${repository} ${branch}`, held: 'until-start'},
    },
  );

export const branchTaskOf = (repository: NodeId, name: string, branch: BranchName): NewTask =>
  taskOf(
    REPOSITORY_BRANCH,
    {repository, branch},
    {
      title: `Create the branch ${branch} of the repository ${name}`,
      branch,
      relatedNodes: related(repository),
      key: {text: `git-branch ${repository} ${branch}`, held: 'until-end'},
    },
  );
