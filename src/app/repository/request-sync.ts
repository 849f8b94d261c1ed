import type {TaskId} from '../../domain/task/task.ts';
import {GitFailure, type GitHost} from '../../ports/git-host.ts';
import {authorize, type Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {findRepository} from './find-repository.ts';
import {remoteOf} from './remote-of.ts';
import {syncTask} from './repository-workflows.ts';

type Deps = Pick<Services, 'store' | 'schemas' | 'tasks'>;

/** Queues a fetch and an import of everything that somebody asked for. */
export async function requestSync(deps: Deps, caller: Caller, id: string): Promise<TaskId> {
  const {repository} = await managed(deps, caller, id);
  return deps.tasks.enqueue(syncTask(repository.id, String(repository.value('name')), true));
}

/** Whether a repository answers; undefined when it does, else why not. */
export async function tryConnection(
  deps: Omit<Deps, 'tasks'> & {readonly git: GitHost},
  caller: Caller,
  id: string,
): Promise<string | undefined> {
  const {snapshot, repository} = await managed(deps, caller, id);
  try {
    await deps.git.heads(await remoteOf(snapshot, repository));
    return undefined;
  } catch (error) {
    if (error instanceof GitFailure) return error.message;
    throw error;
  }
}

async function managed({store, schemas}: Omit<Deps, 'tasks'>, caller: Caller, id: string) {
  authorize(caller, {is: 'global', action: 'manage_repositories'});
  const snapshot = await store.snapshot({branch: store.defaultBranch});
  return {snapshot, repository: await findRepository(snapshot, schemas.of(snapshot), id)};
}
