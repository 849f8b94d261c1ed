import type {Json} from '../../base/json.ts';
import type {TaskRun} from '../task/workflow.ts';
import {importCommit} from './import/import-commit.ts';
import type {ImportDeps} from './import/importing.ts';
import {type RepositoryStatus, setStatus} from './repository-status.ts';
import type {ImportTask} from './repository-workflows.ts';
import {wantedCommit} from './wanted-commit.ts';

/** Brings a branch to the commit of its Git branch, and says on the repository how that went. */
export async function importRepository(
  deps: ImportDeps,
  {repository: id, branch: branchName, commit: seen}: ImportTask,
  run: TaskRun,
): Promise<Json> {
  const branch = (await deps.store.branches()).find(({name}) => name === branchName);
  const repository =
    branch === undefined ? undefined : await (await deps.store.snapshot({branch: branchName})).node(id);
  if (branch === undefined || repository === undefined) return {commit: null};
  const say = (status: RepositoryStatus) => setStatus(deps, id, branch.name, status);
  // Another server may have seen it: then it is fetched here.
  if (seen !== null) await deps.git.commitOf(id, seen);
  const wanted = await wantedCommit(deps.git, repository, branch);
  if (wanted.is !== 'commit') {
    const problem = wanted.is === 'missing' ? wanted.problem : null;
    if (problem !== null) await say({sync_status: 'error-import', status_message: problem});
    return {commit: null, problems: problem === null ? [] : [problem]};
  }
  const {commit} = wanted;
  await say({sync_status: 'syncing'});
  const name = String(repository.value('name'));
  const subject = {repository: id, name, branch: branch.name, commit};
  const {problems, notYetRun} = await importCommit(deps, subject).catch(async (error: unknown) => {
    const message = 'The import met an unexpected fault; the log of the service has more';
    await say({sync_status: 'error-import', status_message: message});
    throw error;
  });
  for (const problem of problems) run.log('error', problem);
  for (const what of notYetRun) run.log('warning', `${what}: is known and not run by this version`);
  await say({
    commit,
    sync_status: problems.length === 0 ? 'in-sync' : 'error-import',
    status_message: problems.length === 0 ? null : problems.join('\n'),
  });
  return {commit, problems: [...problems]};
}
