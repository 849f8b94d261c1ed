import {Type} from 'typebox';
import {ARTIFACT} from '../../app/artifact/definition.ts';
import {type ArtifactChange, type ArtifactContent, diffArtifacts} from '../../app/artifact/diff-artifacts.ts';
import type {Caller} from '../../app/caller.ts';
import {type ChangedRepository, changedFiles, type Stretch} from '../../app/repository/changed-files.ts';
import type {Services} from '../../app/services.ts';
import {type Sight, showsOf} from '../../domain/diff/seen-changes.ts';
import {type Instant, parseAt} from '../../domain/time/instant.ts';
import type {GitFileChange, GitHost} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {labelsOf, placeOf} from '../graphql/branch/diff-labels.ts';
import {HttpProblem} from '../http/problem.ts';
import {restReadPointOf} from '../read-point.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

const TIME = 'ISO 8601 with an offset or Z, -<n>s|m|h|d, or now';

const FILES_ANSWER = Type.Record(Type.String(), Type.Unknown(), {
  examples: [
    {
      dev: {
        '18015bc4-0d5f-4a5e-8e3c-4a0d5f6a7b8c': {
          id: '18015bc4-0d5f-4a5e-8e3c-4a0d5f6a7b8c',
          display_name: 'configs',
          branch: 'dev',
          commit_from: '4c1f2a9',
          commit_to: '9ab03de',
          files: [{branch: 'dev', location: 'templates/ntp.j2', action: 'modified', diff_action: 'updated'}],
        },
      },
    },
  ],
});
const ARTIFACTS_ANSWER = Type.Record(Type.String(), Type.Unknown(), {
  examples: [
    {
      '2f1c7a52-9c1d-4f0e-8f57-0a6f3c1d2e3f': {
        id: '2f1c7a52-9c1d-4f0e-8f57-0a6f3c1d2e3f',
        branch: 'dev',
        display_label: 'atl1-edge1 - startup-config',
        action: 'updated',
        target: {id: '7d9e…', kind: 'InfraDevice', display_label: 'atl1-edge1'},
      },
    },
  ],
});

type Deps = Pick<Services, 'store' | 'schemas'> & {readonly git: GitHost};

/** What differs between branches beside the graph: files of repositories, and artifacts. */
export function diffRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/diff/files',
      summary: 'Files of repositories that changed on a branch, by branch and repository',
      answer: FILES_ANSWER,
      errors: [403],
      query: {
        time_from: Type.Optional(
          Type.String({
            description: `${TIME}; the making of the branch when absent, needed on the default branch.`,
          }),
        ),
        time_to: Type.Optional(Type.String({description: `${TIME}; now when absent.`})),
        branch_only: Type.Optional(
          Type.Boolean({description: 'False: what changed on its origin meanwhile too. True when absent.'}),
        ),
      },
      async handle({query, http}) {
        const caller = await callerOf({http});
        const answer: Record<string, unknown> = {};
        for (const stretch of await stretchesOf(deps, query)) {
          const repositories = await changedFiles(deps, caller, stretch);
          if (repositories.length > 0) answer[stretch.branch] = byRepository(stretch, repositories);
        }
        return answer;
      },
    }),
    route({
      method: 'GET',
      path: '/api/diff/artifacts',
      summary: 'Artifacts of a branch that differ from those of the default branch, by artifact',
      answer: ARTIFACTS_ANSWER,
      errors: [403],
      async handle({query, http}) {
        const caller = await callerOf({http});
        const snapshot = await deps.store.snapshot(await restReadPointOf(deps.store, query));
        const found = await diffArtifacts(deps, caller, snapshot);
        const shows = showsOf(caller.access, snapshot.branch === deps.store.defaultBranch);
        const changes = found.map(each => seenArtifact(each, shows));
        return byArtifact(snapshot.branch, changes, await targetLabels(deps, caller, snapshot, changes));
      },
    }),
  ];
}

/** What peers of this service call the same actions. */
const PEER_WORDS = {added: 'added', modified: 'updated', deleted: 'removed'} as const satisfies Record<
  GitFileChange['action'],
  string
>;

const byRepository = ({branch}: Stretch, repositories: readonly ChangedRepository[]) =>
  Object.fromEntries(
    repositories.map(({id, name, from, to, files}) => [
      id,
      {
        id,
        display_name: name,
        branch,
        commit_from: from,
        commit_to: to,
        files: files.map(({path, action}) => ({
          branch,
          location: path,
          action,
          diff_action: PEER_WORDS[action],
        })),
      },
    ]),
  );

/** Without a target that the caller may not view, and without hidden attributes. */
function seenArtifact(change: ArtifactChange, shows: Sight['shows']): ArtifactChange {
  const seen = (content: ArtifactContent | null): ArtifactContent | null =>
    content === null
      ? null
      : {
          storageId: shows(ARTIFACT, 'storage_id') ? content.storageId : null,
          checksum: shows(ARTIFACT, 'checksum') ? content.checksum : null,
        };
  const {target} = change;
  return {
    ...change,
    name: shows(ARTIFACT, 'name') ? change.name : change.id,
    target: target !== undefined && shows(target.kind) ? target : undefined,
    now: seen(change.now),
    before: seen(change.before),
  };
}

/** Labels of the targets, as the branch has them, else as the default branch does. */
async function targetLabels(
  deps: Deps,
  caller: Caller,
  snapshot: Snapshot,
  changes: readonly ArtifactChange[],
): Promise<ReadonlyMap<string, string>> {
  const other = await deps.store.snapshot({branch: deps.store.defaultBranch});
  const places = [snapshot, other].map(each => placeOf(deps, caller, each));
  return labelsOf(
    places,
    changes.flatMap(({target}) => target?.id ?? []),
  );
}

const byArtifact = (
  branch: string,
  changes: readonly ArtifactChange[],
  labels: ReadonlyMap<string, string>,
) =>
  Object.fromEntries(
    changes.map(({id, name, action, target, now, before}) => {
      const label = target === undefined ? '' : (labels.get(target.id) ?? target.id);
      return [
        id,
        {
          id,
          branch,
          display_label: `${label} - ${name}`,
          action,
          target: target === undefined ? null : {id: target.id, kind: target.kind, display_label: label},
          item_new: now === null ? null : {storage_id: now.storageId, checksum: now.checksum},
          item_previous: before === null ? null : {storage_id: before.storageId, checksum: before.checksum},
        },
      ];
    }),
  );

interface GivenStretch {
  readonly branch?: string;
  readonly at?: string;
  readonly time_from?: string;
  readonly time_to?: string;
  readonly branch_only?: boolean;
}

/** Refuses times that are none, and a stretch that ends before it begins. */
async function stretchesOf({store}: Deps, given: GivenStretch): Promise<readonly Stretch[]> {
  const {branch, at} = await restReadPointOf(store, given);
  const {createdAt, isDefault, origin} = await store.branch(branch);
  const {time_from, time_to} = given;
  if (isDefault && !time_from) {
    throw new HttpProblem(400, `time_from is mandatory on the default branch ${branch}`);
  }
  const now = store.now();
  const from = time_from ? (instant(store, time_from) ?? now) : createdAt;
  const to = time_to ? (instant(store, time_to) ?? now) : (at ?? now);
  if (to < from) throw new HttpProblem(400, 'time_to lies before time_from');
  const own = {branch, from, to};
  return given.branch_only === false && origin !== undefined ? [own, {branch: origin, from, to}] : [own];
}

function instant(store: Deps['store'], text: string): Instant | undefined {
  try {
    return parseAt(text, store.now(), store.oldest);
  } catch (error) {
    throw new HttpProblem(400, (error as Error).message, {cause: error});
  }
}
