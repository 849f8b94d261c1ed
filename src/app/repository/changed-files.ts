import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GitCommit} from '../../domain/repository/git-commit.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {GitFileChange, GitHost} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {REPOSITORY, trackedCommit} from './find-repository.ts';

export interface Stretch {
  readonly branch: BranchName;
  readonly from: Instant;
  readonly to: Instant;
}

/** One repository whose commit differs between the two ends of a stretch. */
export interface ChangedRepository {
  readonly id: NodeId;
  readonly name: string;
  readonly from: GitCommit;
  readonly to: GitCommit;
  readonly files: readonly GitFileChange[];
}

type Deps = Pick<Services, 'store' | 'schemas'> & {readonly git: GitHost};

const REPOSITORIES_MAX = 10_000;

/**
 * What happened to the files of repositories on a branch: only those have a word that were there at both ends and that
 * the caller may view.
 */
export async function changedFiles(
  deps: Deps,
  caller: Caller,
  {branch, from, to}: Stretch,
): Promise<readonly ChangedRepository[]> {
  const onDefaultBranch = branch === deps.store.defaultBranch;
  const [before, after] = await Promise.all([
    commitsAt(await deps.store.snapshot({branch, at: from})),
    commitsAt(await deps.store.snapshot({branch, at: to})),
  ]);
  const changed: ChangedRepository[] = [];
  for (const [id, {kind, name, commit}] of after) {
    const old = before.get(id)?.commit;
    if (old === undefined || commit === undefined || old === commit) continue;
    if (!caller.access.allows({is: 'object', action: 'view', kind, onDefaultBranch})) continue;
    changed.push({id, name, from: old, to: commit, files: await deps.git.changedFiles(id, old, commit)});
  }
  return changed;
}

interface Tracked {
  readonly kind: string;
  readonly name: string;
  readonly commit: GitCommit | undefined;
}

async function commitsAt(snapshot: Snapshot): Promise<ReadonlyMap<NodeId, Tracked>> {
  const {found} = await snapshot.query({kind: REPOSITORY, page: {limit: REPOSITORIES_MAX, offset: 0}});
  return new Map(
    found.map(({node}) => {
      const name = node.value('name');
      const text = typeof name === 'string' ? name : `Repository (${node.id})`;
      return [node.id, {kind: node.kind, name: text, commit: trackedCommit(node)}];
    }),
  );
}
