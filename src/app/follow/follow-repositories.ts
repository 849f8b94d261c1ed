import type {BranchName} from '../../domain/branch/branch.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GitHost} from '../../ports/git-host.ts';
import {REPOSITORY} from '../repository/find-repository.ts';
import {setStatus} from '../repository/repository-status.ts';
import {branchTaskOf, syncTask} from '../repository/repository-workflows.ts';
import {READ_ONLY} from '../repository/wanted-commit.ts';
import type {Services} from '../services.ts';

type Deps = Pick<Services, 'store' | 'tasks'> & {readonly git: GitHost};

const REPOSITORY_KINDS: ReadonlySet<string> = new Set(['CoreRepository', READ_ONLY]);
const FETCHED_BY: ReadonlySet<string> = new Set(['location', 'default_branch', 'ref']);
const REPOSITORIES_MAX = 10_000;

/** What repositories need after something happened to them, or to branches. */
export async function followRepositories(deps: Deps, events: readonly GraphEvent[]): Promise<void> {
  for (const event of events) {
    if (event.kind !== null && REPOSITORY_KINDS.has(event.kind)) await followRepository(deps, event);
    else if (event.type === 'service.branch.created') await followNewBranch(deps, event);
    else if (event.type === 'service.branch.merged') await followMerge(deps, event);
  }
}

async function followRepository(deps: Deps, {type, nodeId, branch, detail}: GraphEvent): Promise<void> {
  const id = nodeId as NodeId;
  if (type === 'service.node.deleted') {
    const snapshot = await deps.store.snapshot({branch: deps.store.defaultBranch});
    if ((await snapshot.node(id)) === undefined) await deps.git.forget(id);
    return;
  }
  if (detail.is !== 'node') return;
  if (type === 'service.node.created') await activate(deps, id, branch);
  else if (type === 'service.node.updated') {
    const isElsewhere =
      detail.attributes.some(({name}) => FETCHED_BY.has(name)) ||
      detail.edges.some(({relationship}) => relationship === 'credential');
    if (isElsewhere) await deps.tasks.enqueue(syncTask(id, await nameOf(deps, id)));
  }
}

/** A repository is followed on the branch where it was added, and on those that come from it. */
async function activate(deps: Deps, id: NodeId, branch: BranchName): Promise<void> {
  const isDefault = branch === deps.store.defaultBranch;
  const exists = (await deps.store.branches()).some(({name}) => name === branch);
  if (exists) await setStatus(deps, id, branch, {internal_status: isDefault ? 'active' : 'staging'});
  await deps.tasks.enqueue(syncTask(id, await nameOf(deps, id)));
}

async function followNewBranch(deps: Deps, {detail}: GraphEvent): Promise<void> {
  if (detail.is !== 'branch') return;
  const branch = (await deps.store.branches()).find(({name}) => name === detail.name);
  if (branch?.syncWithGit !== true || branch.isDefault) return;
  for (const {id, kind, name, status} of await repositoriesOn(deps, branch.name)) {
    if (kind === READ_ONLY || status === 'inactive') continue;
    await deps.tasks.enqueue(branchTaskOf(id, name, branch.name));
  }
}

/** What was tried on a branch is followed where the branch went. */
async function followMerge(deps: Deps, {detail}: GraphEvent): Promise<void> {
  if (detail.is !== 'branch' || detail.other === undefined) return;
  const names = (await deps.store.branches()).map(({name}) => name);
  if (!names.includes(detail.name) || !names.includes(detail.other)) return;
  const there = await repositoriesOn(deps, detail.other);
  for (const {id, status} of await repositoriesOn(deps, detail.name)) {
    const before = there.find(each => each.id === id);
    if (status !== 'inactive' && before?.status === 'inactive') await activate(deps, id, detail.other);
  }
}

async function repositoriesOn({store}: Deps, branch: BranchName) {
  const snapshot = await store.snapshot({branch});
  const {found} = await snapshot.query({kind: REPOSITORY, page: {limit: REPOSITORIES_MAX, offset: 0}});
  return found.map(({node}) => ({
    id: node.id,
    kind: node.kind,
    name: String(node.value('name')),
    status: node.value('internal_status'),
  }));
}

async function nameOf({store}: Deps, id: NodeId): Promise<string> {
  const node = await (await store.snapshot({branch: store.defaultBranch})).node(id);
  return String(node?.value('name') ?? id);
}
