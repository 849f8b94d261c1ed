import {KeyedTurns} from '../../base/keyed-turns.ts';
import type {ContentFollowing} from '../follow/content-following.ts';
import type {Services} from '../services.ts';
import {handlerOf, type TaskHandler} from '../task/workflow.ts';
import {createGitBranch} from './create-git-branch.ts';
import type {ImportDeps} from './import/importing.ts';
import {importRepository} from './import-repository.ts';
import {REPOSITORY_BRANCH, REPOSITORY_IMPORT, REPOSITORY_SYNC} from './repository-workflows.ts';
import {syncRepository} from './sync-repository.ts';

type Deps = ImportDeps & Pick<Services, 'tasks'> & {readonly following: ContentFollowing};

export function repositoryHandlers(deps: Deps): readonly TaskHandler[] {
  const turns = new KeyedTurns();
  return [
    handlerOf(REPOSITORY_SYNC, (task, run) =>
      turns.run(task.repository, () => syncRepository(deps, task, run)),
    ),
    handlerOf(REPOSITORY_IMPORT, (task, run) =>
      turns.run(`${task.repository} ${task.branch}`, async () => {
        await deps.following.look();
        return importRepository(deps, task, run);
      }),
    ),
    handlerOf(REPOSITORY_BRANCH, task => createGitBranch(deps, task)),
  ];
}
