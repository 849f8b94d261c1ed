import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GitFailureReason} from '../../ports/git-host.ts';
import type {GraphStore} from '../../ports/graph-store.ts';

/** What the service knows of a repository on one branch; what is left out stays. */
export interface RepositoryStatus {
  readonly commit?: string;
  readonly internal_status?: 'staging' | 'active' | 'inactive';
  readonly operational_status?: 'unknown' | 'online' | 'error-cred' | 'error-connection' | 'error';
  readonly sync_status?: 'unknown' | 'error-import' | 'in-sync' | 'syncing';
  /** Null when all went well. */
  readonly status_message?: string | null;
}

export const OPERATIONAL_STATUS = {
  credential: 'error-cred',
  connection: 'error-connection',
  timeout: 'error-connection',
  'not-found': 'error',
  'missing-git': 'error',
  other: 'error',
} as const satisfies Record<GitFailureReason, RepositoryStatus['operational_status']>;

const MESSAGE_LENGTH_MAX = 10_000;

/** Writes down what is known; a status that says nothing new makes no commit. */
export async function setStatus(
  {store}: {readonly store: GraphStore},
  repository: NodeId,
  branch: BranchName,
  status: RepositoryStatus,
): Promise<void> {
  const message = status.status_message;
  const values: Readonly<Record<string, Json>> =
    typeof message === 'string'
      ? {...status, status_message: message.slice(0, MESSAGE_LENGTH_MAX)}
      : {...status};
  const writes = Object.entries(values).map(([name, value]) => [name, {value, isDefault: value === null}]);
  await store.write(branch, {account: null, message: 'Status of a repository'}, async draft => {
    if ((await draft.node(repository)) === undefined) return;
    await draft.update(repository, Object.fromEntries(writes));
  });
}
