import {unreachable} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import type {Branch} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {GitCommit} from '../../domain/repository/git-commit.ts';
import {GitFailure, type GitHost} from '../../ports/git-host.ts';
import type {Services} from '../services.ts';
import type {TaskRun} from '../task/workflow.ts';
import {trackedCommit} from './find-repository.ts';
import {remoteOf} from './remote-of.ts';
import {OPERATIONAL_STATUS, setStatus} from './repository-status.ts';
import {importTask, type SyncTask} from './repository-workflows.ts';
import {READ_ONLY, wantedCommit} from './wanted-commit.ts';

type Deps = Pick<Services, 'store' | 'tasks'> & {readonly git: GitHost};

/** Fetches a repository and queues an import for every branch that is not at its commit. */
export async function syncRepository(deps: Deps, task: SyncTask, run: TaskRun): Promise<Json> {
  const {defaultBranch} = deps.store;
  const head = await deps.store.snapshot({branch: defaultBranch});
  const repository = await head.node(task.repository);
  if (repository === undefined) return {imports: []};
  const name = String(repository.value('name'));
  try {
    await deps.git.fetch(await remoteOf(head, repository));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const operational_status = OPERATIONAL_STATUS[error.reason];
    await setStatus(deps, repository.id, defaultBranch, {operational_status, status_message: error.message});
    throw validationError(error.message, {repository: repository.id});
  }
  await setStatus(deps, repository.id, defaultBranch, {
    operational_status: 'online',
    // What an import said stays until the next one.
    ...(repository.value('sync_status') === 'error-import' ? {} : {status_message: null}),
  });
  const imports: string[] = [];
  for (const branch of await deps.store.branches()) {
    const seen = await toImport(deps, repository, branch, task.isForced);
    if (seen === undefined) continue;
    await deps.tasks.enqueue(importTask(repository.id, name, branch.name, seen));
    run.log('info', `Branch ${branch.name} is to be imported`);
    imports.push(branch.name);
  }
  return {imports};
}

/** The commit to import into a branch, null when only that there is none is to be told; undefined for nothing to do. */
async function toImport(
  {store, git}: Deps,
  {id}: NodeRecord,
  branch: Branch,
  isForced: boolean,
): Promise<GitCommit | null | undefined> {
  if (!branch.isDefault && !branch.syncWithGit) return undefined;
  const there = await (await store.snapshot({branch: branch.name})).node(id);
  if (there === undefined || there.value('internal_status') === 'inactive') return undefined;
  if (there.kind === READ_ONLY && !branch.isDefault && !(await hasOwnReference(store, there)))
    return undefined;
  const wanted = await wantedCommit(git, there, branch);
  switch (wanted.is) {
    case 'none':
      return undefined;
    case 'missing':
      return isForced || there.value('status_message') !== wanted.problem ? null : undefined;
    case 'commit': {
      const isThere = wanted.commit === trackedCommit(there) && there.value('sync_status') !== 'unknown';
      return isForced || !isThere ? wanted.commit : undefined;
    }
    default:
      return unreachable(wanted);
  }
}

/** A branch that says nothing else has what the default branch has. */
async function hasOwnReference(store: Deps['store'], repository: NodeRecord): Promise<boolean> {
  const there = await (await store.snapshot({branch: store.defaultBranch})).node(repository.id);
  return there?.value('ref') !== repository.value('ref');
}
