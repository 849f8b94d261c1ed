import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {SystemGitHost} from '../adapters/git/system-git-host.ts';
import {PythonTransformRunner} from '../adapters/python/python-transform-runner.ts';
import {readYaml} from '../adapters/yaml/read-yaml.ts';
import {artifactHandlers} from '../app/artifact/artifact-handlers.ts';
import {followHandler} from '../app/follow/follow-changes.ts';
import {FetchingGitHost} from '../app/repository/fetching-git-host.ts';
import {lookAtRepositories} from '../app/repository/look-at-repositories.ts';
import {repositoryHandlers} from '../app/repository/repository-handlers.ts';
import type {Services} from '../app/services.ts';
import type {ObjectStore} from '../ports/object-store.ts';
import type {Answerer} from '../wire/graphql/answerer.ts';
import {queryRunner} from '../wire/graphql/query-runner.ts';
import {artifactRoutes} from '../wire/rest/artifact-routes.ts';
import {diffRoutes} from '../wire/rest/diff-routes.ts';
import {fileRoutes} from '../wire/rest/file-routes.ts';
import type {CallerOf} from '../wire/rest/schema-routes.ts';
import {transformRoutes} from '../wire/rest/transform-routes.ts';
import {repeat} from './repeat.ts';
import type {composeServices} from './services.ts';
import type {Settings} from './settings/read.ts';

const GIT_PROCESSES_MAX = 8;

export function openGit(folder: string, settings: Settings): SystemGitHost {
  return new SystemGitHost({
    folder: join(folder, 'repositories'),
    fetchSecondsMax: settings.gitFetchSecondsMax,
    processesMax: GIT_PROCESSES_MAX,
  });
}

type ComposedServices = ReturnType<typeof composeServices> & Required<Pick<Services, 'analyseQuery'>>;

interface Parts {
  readonly git: SystemGitHost;
  readonly answerer: Answerer;
  readonly objects: ObjectStore;
}

/** What teams keep in Git and make from it: repositories, transforms, artifacts. */
export async function composeContent(
  folder: string,
  settings: Settings,
  services: ComposedServices,
  {git: system, answerer, objects}: Parts,
) {
  const transforms = new PythonTransformRunner({
    python: settings.pythonCommand,
    environmentFolder: settings.pythonEnvironmentFolder ?? join(folder, 'python'),
    repositoriesFolder: join(folder, 'repositories'),
    processesMax: settings.transformProcesses,
    memoryBytesMax: settings.transformMemoryBytesMax,
    useBubblewrap: true,
  });
  const git = new FetchingGitHost(system, services.store);
  const fileBytesMax = settings.storageFileBytesMax;
  const runQuery = queryRunner(answerer, randomUUID);
  const parts = {...services, git, transforms, answerer, objects, runQuery, readYaml, fileBytesMax};
  const storage = {objects, fileBytesMax};
  const callerOf: CallerOf = ({http}) => services.callerOf(http);
  await services.following.look();
  const log = services.log.named('git');
  const stopLooking =
    settings.gitSyncSeconds === 0
      ? undefined
      : repeat(
          async () => {
            if (services.following.isOn) await lookAtRepositories({...parts, log});
          },
          settings.gitSyncSeconds * 1000,
          log,
        );
  return {
    routes: [
      ...diffRoutes(parts, callerOf),
      ...fileRoutes(parts, callerOf),
      ...transformRoutes(parts, callerOf),
      ...artifactRoutes(parts, callerOf),
    ],
    handlers: [
      followHandler({...parts, store: services.quietStore}),
      ...repositoryHandlers(parts),
      ...artifactHandlers({...parts, store: services.quietStore, storage}),
    ],
    async close() {
      await stopLooking?.();
      await transforms.close();
    },
  };
}
