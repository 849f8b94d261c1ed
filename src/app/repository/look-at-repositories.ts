import {Slots} from '../../base/slots.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {GitFailure, type GitHeads, type GitHost} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Log} from '../../ports/log.ts';
import type {Services} from '../services.ts';
import {REPOSITORY, trackedCommit} from './find-repository.ts';
import {remoteOf} from './remote-of.ts';
import {OPERATIONAL_STATUS, setStatus} from './repository-status.ts';
import {syncTask} from './repository-workflows.ts';
import {followedReference} from './wanted-commit.ts';

type Deps = Pick<Services, 'store' | 'tasks'> & {readonly git: GitHost; readonly log: Log};

const REPOSITORIES_MAX = 10_000;
const TOGETHER_MAX = 8;

/** Asks every repository where its branches are, and queues a fetch of those that have moved. */
export async function lookAtRepositories(deps: Deps): Promise<void> {
  const head = await deps.store.snapshot({branch: deps.store.defaultBranch});
  const {found} = await head.query({kind: REPOSITORY, page: {limit: REPOSITORIES_MAX, offset: 0}});
  const slots = new Slots(TOGETHER_MAX);
  await Promise.all(found.map(({node}) => slots.run(() => lookAt(deps, head, node))));
}

async function lookAt(deps: Deps, head: Snapshot, node: NodeRecord): Promise<void> {
  const name = String(node.value('name'));
  try {
    const heads = await deps.git.heads(await remoteOf(head, node));
    const wasOnline = node.value('operational_status') === 'online';
    if (!wasOnline || (await hasMoved(deps, node, heads))) {
      await deps.tasks.enqueue(syncTask(node.id, name));
    }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const operational_status = OPERATIONAL_STATUS[error.reason];
    const status = {operational_status, status_message: error.message};
    await setStatus(deps, node.id, deps.store.defaultBranch, status);
    deps.log.warning('a repository cannot be reached', {repository: name, problem: error.message});
  }
}

async function hasMoved({store}: Deps, {id}: NodeRecord, {branches}: GitHeads): Promise<boolean> {
  const byName = new Map(branches.map(({name, commit}) => [name, commit]));
  for (const branch of await store.branches()) {
    if (!branch.isDefault && !branch.syncWithGit) continue;
    const repository = await (await store.snapshot({branch: branch.name})).node(id);
    if (repository === undefined || repository.value('internal_status') === 'inactive') continue;
    const there = byName.get(followedReference(repository, branch));
    if (there !== undefined && there !== trackedCommit(repository)) return true;
  }
  return false;
}
