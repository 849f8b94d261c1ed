import type {BranchName} from '../domain/branch/branch.ts';
import type {Schema} from '../domain/schema/schema.ts';
import type {Draft, Written} from '../ports/graph-store.ts';
import type {Ids} from '../ports/ids.ts';
import type {Caller} from './caller.ts';
import {authorize} from './caller.ts';
import type {Services} from './services.ts';

/** One write as the verbs see it: the draft, the schema of its branch, and who writes. */
export interface WriteScope {
  readonly draft: Draft;
  readonly schema: Schema;
  readonly caller: Caller;
  readonly onDefaultBranch: boolean;
  readonly ids: Ids;
}

export interface WriteOptions {
  readonly branch: BranchName;
  readonly message?: string;
  /** Answers what would happen and changes nothing. */
  readonly isDryRun?: boolean;
}

type Deps = Pick<Services, 'store' | 'schemas' | 'ids'>;

/** Carries the answer of a dry run out of the write that it gives up. */
class DryRun<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super('dry run');
    this.value = value;
  }
}

/** Runs the verbs of one request as one commit: all of them, or none. */
export async function writing<T>(
  deps: Deps,
  caller: Caller,
  options: WriteOptions,
  body: (scope: WriteScope) => Promise<T>,
): Promise<Written<T>> {
  const onDefaultBranch = options.branch === deps.store.defaultBranch;
  if (onDefaultBranch) authorize(caller, {is: 'global', action: 'edit_default_branch'});
  const author = {
    account: caller.account,
    ...(options.message === undefined ? {} : {message: options.message}),
  };
  try {
    return await deps.store.write(options.branch, author, async draft => {
      const scope = {draft, schema: deps.schemas.of(draft), caller, onDefaultBranch, ids: deps.ids};
      const value = await body(scope);
      if (options.isDryRun === true) {
        await draft.rehearse();
        throw new DryRun(value);
      }
      return value;
    });
  } catch (error) {
    if (error instanceof DryRun) return {value: error.value as T, commit: undefined};
    throw error;
  }
}
