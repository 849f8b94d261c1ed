import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {GraphModel} from '../graph-model.ts';
import type {Draft, GraphStore} from '../graph-store.ts';
import {SERVICE} from '../graph-store-fixtures.ts';
import {GivenUp} from './apply.ts';

/** What a write came to: the instant of its commit, nothing to commit, or why not. */
export type Outcome = Instant | 'nothing' | 'given up' | `refused: ${string}`;

export async function attempt(
  store: GraphStore,
  branch: BranchName,
  body: (draft: Draft) => Promise<void>,
  isRehearsal = false,
): Promise<Outcome> {
  const run = isRehearsal ? (store as GraphModel).rehearse(branch, body) : store.write(branch, SERVICE, body);
  return run.then(
    ({commit}): Outcome => commit ?? 'nothing',
    (error): Outcome => {
      if (error instanceof GivenUp) return 'given up';
      if (error instanceof ServiceError) return `refused: ${error.code}`;
      throw error;
    },
  );
}
