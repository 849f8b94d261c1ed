import type {Json} from '../../base/json.ts';
import {conflictPath} from '../../domain/merge/conflict-path.ts';
import type {Draft} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import type {CallerOfAccount} from '../task/caller-of-account.ts';
import {handlerOf, type TaskHandler, type TaskRun} from '../task/workflow.ts';
import {
  BRANCH_CREATE,
  BRANCH_DELETE,
  BRANCH_MERGE,
  BRANCH_REBASE,
  BRANCH_VALIDATE,
  type BranchTask,
  DIFF_UPDATE,
} from './branch-workflows.ts';
import {conflictsRefused} from './conflict-name.ts';
import {createBranch} from './create-branch.ts';
import {deleteBranch} from './delete-branch.ts';
import type {CombineOutcome, CombineRequest} from './merge-branch.ts';
import {mergeBranch, rebaseBranch} from './merge-branch.ts';
import {conflictsSeenBy} from './seen-by.ts';
import {validateBranch} from './validate-branch.ts';

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'> & {readonly callerFor: CallerOfAccount};

/** Branch verbs as tasks: each ends its task in the commit that is its work. */
export function branchHandlers(deps: Deps): readonly TaskHandler[] {
  async function callerOf({author, rightsOf}: Pick<BranchTask, 'author' | 'rightsOf'>): Promise<Caller> {
    return {...(await deps.callerFor(rightsOf)), account: author};
  }

  async function combine(
    verb: (of: Deps, caller: Caller, request: CombineRequest) => Promise<CombineOutcome>,
    task: BranchTask,
    run: TaskRun,
  ): Promise<Json> {
    const outcome = await verb(deps, await callerOf(task), {
      branch: task.branch,
      ...(task.message === null ? {} : {message: task.message}),
      alongside: (draft: Draft, changes: number) => draft.finishTask({lease: run.lease, result: {changes}}),
    });
    if (outcome.is !== 'conflicted') return {changes: outcome.is === 'done' ? outcome.changes : 0};
    const branch = await deps.store.branch(task.branch);
    const seen = await conflictsSeenBy(deps, await callerOf(task), branch, outcome.conflicts);
    for (const {subject} of seen) run.log('error', `Conflict at ${conflictPath(subject)}`);
    throw conflictsRefused(branch, outcome.conflicts, seen);
  }

  return [
    handlerOf(BRANCH_CREATE, async (task, run) => {
      const {name} = task.request;
      const finish = {lease: run.lease, result: {name}};
      await createBranch(deps, await callerOf(task), task.request, {finish});
      return {name};
    }),
    handlerOf(BRANCH_DELETE, async (task, run) => {
      const result = {name: task.branch};
      await deleteBranch(deps, await callerOf(task), task.branch, {finish: {lease: run.lease, result}});
      return result;
    }),
    handlerOf(BRANCH_MERGE, (task, run) => combine(mergeBranch, task, run)),
    handlerOf(BRANCH_REBASE, (task, run) => combine(rebaseBranch, task, run)),
    handlerOf(BRANCH_VALIDATE, async (task, run) => {
      const {isMergeable, messages} = await validateBranch(deps, await callerOf(task), task.branch);
      for (const message of messages) run.log('warning', message);
      return {ok: isMergeable, messages};
    }),
    // Diffs are worked out when they are asked for; whoever waits for one hears that it is ready.
    handlerOf(DIFF_UPDATE, async ({branch}) => ({branch: (await deps.store.branch(branch)).name})),
  ];
}
