import {nodeNotFound} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {type GitCommit, isGitCommit} from '../../domain/repository/git-commit.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {findNode} from '../node/find-node.ts';

export const REPOSITORY = 'CoreGenericRepository';

/** The repository that a text means: its id, or its name. */
export async function findRepository(snapshot: Snapshot, schema: Schema, text: string): Promise<NodeRecord> {
  const repository = await findNode(snapshot, schema, REPOSITORY, {id: text});
  if (repository === undefined) throw nodeNotFound(REPOSITORY, text);
  return repository;
}

/** The commit that a branch has of a repository, if it has been imported there. */
export function trackedCommit(repository: NodeRecord): GitCommit | undefined {
  const commit = repository.value('commit');
  return typeof commit === 'string' && isGitCommit(commit) ? commit : undefined;
}
