import {join} from 'node:path';
import {SystemGitHost} from '../adapters/git/system-git-host.ts';
import {PythonTransformRunner} from '../adapters/python/python-transform-runner.ts';
import {diffRoutes} from '../wire/rest/diff-routes.ts';
import {fileRoutes} from '../wire/rest/file-routes.ts';
import type {CallerOf} from '../wire/rest/schema-routes.ts';
import type {composeServices} from './services.ts';
import type {Settings} from './settings/read.ts';

const GIT_PROCESSES_MAX = 8;

/** What teams keep in Git and make from it: repositories, transforms, artifacts. */
export function composeContent(
  folder: string,
  settings: Settings,
  services: ReturnType<typeof composeServices>,
) {
  const repositoriesFolder = join(folder, 'repositories');
  const git = new SystemGitHost({
    folder: repositoriesFolder,
    fetchSecondsMax: settings.gitFetchSecondsMax,
    processesMax: GIT_PROCESSES_MAX,
  });
  const transforms = new PythonTransformRunner({
    python: settings.pythonCommand,
    environmentFolder: settings.pythonEnvironmentFolder ?? join(folder, 'python'),
    repositoriesFolder,
    processesMax: settings.transformProcesses,
    memoryBytesMax: settings.transformMemoryBytesMax,
    useBubblewrap: true,
  });
  const parts = {...services, git, transforms, fileBytesMax: settings.storageFileBytesMax};
  const callerOf: CallerOf = ({http}) => services.callerOf(http);
  return {
    routes: [...diffRoutes(parts, callerOf), ...fileRoutes(parts, callerOf)],
    close: () => transforms.close(),
  };
}
