import {type Awaitable, whenReady} from '../base/awaitable.ts';
import type {BranchName} from '../domain/branch/branch.ts';
import {ServiceError} from '../domain/errors.ts';
import {parseAt} from '../domain/time/instant.ts';
import type {GraphStore, ReadPoint} from '../ports/graph-store.ts';
import {HttpProblem} from './http/problem.ts';

/** The words by which a request says where it stands. */
export interface PointWords {
  /** Absent or empty: the default branch. */
  readonly branch?: string | undefined;
  /** Absent or empty: now. */
  readonly at?: string | undefined;
}

type Store = Pick<GraphStore, 'branch' | 'defaultBranch' | 'now' | 'oldest'>;

/** Refuses a branch that does not exist, and a time that is none or lies outside the recorded history. */
export function readPointOf(store: Store, {branch, at}: PointWords): Awaitable<ReadPoint> {
  const instant = at === undefined ? undefined : parseAt(at, store.now(), store.oldest);
  const isDefault = branch === undefined || branch === '';
  const found = isDefault ? {name: store.defaultBranch} : store.branch(branch as BranchName);
  return whenReady(found, ({name}) => (instant === undefined ? {branch: name} : {branch: name, at: instant}));
}

/** As `readPointOf`, where a bad time is a bad request rather than one that cannot be processed. */
export async function restReadPointOf(store: Store, words: PointWords): Promise<ReadPoint> {
  try {
    return await readPointOf(store, words);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'VALIDATION_ERROR') {
      throw new HttpProblem(400, error.message, {cause: error});
    }
    throw error;
  }
}
