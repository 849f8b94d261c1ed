import type {Branch} from '../../domain/branch/branch.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {GitCommit} from '../../domain/repository/git-commit.ts';
import type {GitHost} from '../../ports/git-host.ts';
import {trackedCommit} from './find-repository.ts';

export const READ_ONLY = 'CoreReadOnlyRepository';

/** What a branch should have of a repository, as the mirror has it. */
export type WantedCommit =
  | {readonly is: 'commit'; readonly commit: GitCommit}
  /** The branch goes its own way, and keeps what it has. */
  | {readonly is: 'none'}
  | {readonly is: 'missing'; readonly problem: string};

/** The reference that a branch follows: of the same name in a repository of ours, the one that is set in another's. */
export function followedReference(repository: NodeRecord, branch: Branch): string {
  if (repository.kind === READ_ONLY) return String(repository.value('ref') ?? 'main');
  return branch.isDefault ? String(repository.value('default_branch') ?? 'main') : branch.name;
}

export async function wantedCommit(
  git: GitHost,
  repository: NodeRecord,
  branch: Branch,
): Promise<WantedCommit> {
  const followed = followedReference(repository, branch);
  const own = await git.commitOf(repository.id, followed);
  if (own !== undefined) return {is: 'commit', commit: own};
  const goesItsOwnWay = !branch.isDefault && repository.kind !== READ_ONLY;
  if (goesItsOwnWay && trackedCommit(repository) !== undefined) return {is: 'none'};
  // A branch on which the repository is new begins where its default branch stands.
  const reference = goesItsOwnWay ? String(repository.value('default_branch') ?? 'main') : followed;
  const commit = goesItsOwnWay ? await git.commitOf(repository.id, reference) : undefined;
  if (commit !== undefined) return {is: 'commit', commit};
  const setting = repository.kind === READ_ONLY ? 'ref' : 'default_branch';
  const problem = `The repository has no branch, tag or commit "${reference}"; push one, or change its ${setting}`;
  return {is: 'missing', problem};
}
