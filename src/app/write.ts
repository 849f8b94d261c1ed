import type {BranchName} from '../domain/branch/branch.ts';
import {isKindOf} from '../domain/schema/lookup.ts';
import type {Schema} from '../domain/schema/schema.ts';
import type {Draft, Written} from '../ports/graph-store.ts';
import type {Ids} from '../ports/ids.ts';
import type {Log} from '../ports/log.ts';
import type {Caller} from './caller.ts';
import {authorize} from './caller.ts';
import {followTask} from './follow/follow-workflow.ts';
import type {AnalyseQuery} from './query/analyse-query.ts';
import type {Services} from './services.ts';

/** One write as the verbs see it: the draft, the schema of its branch, and who writes. */
export interface WriteScope {
  readonly draft: Draft;
  readonly schema: Schema;
  readonly caller: Caller;
  readonly onDefaultBranch: boolean;
  readonly ids: Ids;
  readonly analyseQuery?: AnalyseQuery;
  /** Called for every change of a kind that decides who may do what. */
  readonly noteGuarded?: (change: GuardedChange) => void;
}

export interface GuardedChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: string;
}

export interface WriteOptions {
  readonly branch: BranchName;
  readonly message?: string;
  /** Answers what would happen and changes nothing. */
  readonly isDryRun?: boolean;
  /** Where changes of accounts, groups, roles and permissions are told once they are committed. */
  readonly audit?: Log;
}

type Deps = Pick<Services, 'store' | 'schemas' | 'ids' | 'analyseQuery'>;

/** Carries the answer of a dry run out of the write that it gives up. */
class DryRun<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super('dry run');
    this.value = value;
  }
}

/** Who reads stored queries, where there is one. */
export const readerOf = ({analyseQuery}: Pick<Services, 'analyseQuery'>): Pick<WriteScope, 'analyseQuery'> =>
  analyseQuery === undefined ? {} : {analyseQuery};

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
  const guarded: GuardedChange[] = [];
  const noteGuarded = (change: GuardedChange) => void guarded.push(change);
  try {
    const written = await deps.store.write(options.branch, author, async draft => {
      const schema = deps.schemas.of(draft);
      const scope = {draft, schema, caller, onDefaultBranch, ids: deps.ids, noteGuarded, ...readerOf(deps)};
      const value = await body(scope);
      if (guarded.some(({kind}) => isKindOf(schema, kind, 'CoreGenericRepository'))) {
        await draft.enqueue(followTask(draft.at));
      }
      if (options.isDryRun === true) {
        await draft.rehearse();
        throw new DryRun(value);
      }
      return value;
    });
    if (written.commit !== undefined && guarded.length > 0) {
      const changes = [...new Set(guarded.map(({action, kind}) => `${action} ${kind}`))];
      options.audit?.info('access rules changed', {by: caller.account, branch: options.branch, changes});
    }
    return written;
  } catch (error) {
    if (error instanceof DryRun) return {value: error.value as T, commit: undefined};
    throw error;
  }
}
