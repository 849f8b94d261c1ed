import type {NodeId} from '../../domain/graph/node-id.ts';
import {canBeCommit, type GitCommit} from '../../domain/repository/git-commit.ts';
import type {GitFile, GitHost} from '../../ports/git-host.ts';
import type {ReadPoint} from '../../ports/graph-store.ts';
import {authorize, type Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {findRepository, trackedCommit} from './find-repository.ts';

export interface FileRequest {
  readonly point: ReadPoint;
  /** Its id or its name. */
  readonly repository: string;
  readonly path: string;
  /** Absent: the commit that the branch has. */
  readonly commit?: string;
  readonly bytesMax: number;
}

export type ReadFile =
  | {readonly is: 'read'; readonly repository: NodeId; readonly commit: GitCommit; readonly file: GitFile}
  | {readonly is: 'no-commit'}
  | {readonly is: 'unknown-commit'; readonly repository: NodeId; readonly commit: string};

type Deps = Pick<Services, 'store' | 'schemas'> & {readonly git: GitHost};

/** A file of a repository, at a commit or as the branch has it. */
export async function readFile(deps: Deps, caller: Caller, request: FileRequest): Promise<ReadFile> {
  const snapshot = await deps.store.snapshot(request.point);
  const repository = await findRepository(snapshot, deps.schemas.of(snapshot), request.repository);
  const onDefaultBranch = request.point.branch === deps.store.defaultBranch;
  authorize(caller, {is: 'object', action: 'view', kind: repository.kind, onDefaultBranch});
  const {id} = repository;
  const wanted = request.commit || trackedCommit(repository);
  if (wanted === undefined) return {is: 'no-commit'};
  const commit = canBeCommit(wanted) ? await deps.git.commitOf(id, wanted) : undefined;
  if (commit === undefined) return {is: 'unknown-commit', repository: id, commit: wanted};
  const file = await deps.git.readFile(id, commit, request.path, request.bytesMax);
  return {is: 'read', repository: id, commit, file};
}
