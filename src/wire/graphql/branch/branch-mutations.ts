import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLObjectTypeConfig,
  GraphQLString,
} from 'graphql';
import {
  BRANCH_DELETE,
  BRANCH_MERGE,
  BRANCH_REBASE,
  BRANCH_VALIDATE,
  type BranchTask,
  branchTask,
  createBranchTask,
} from '../../../app/branch/branch-workflows.ts';
import {conflictsRefused} from '../../../app/branch/conflict-name.ts';
import {type CreateBranch, createBranch} from '../../../app/branch/create-branch.ts';
import {deleteBranch} from '../../../app/branch/delete-branch.ts';
import type {CombineOutcome, CombineRequest} from '../../../app/branch/merge-branch.ts';
import {authorizeMerge, mergeBranch, rebaseBranch} from '../../../app/branch/merge-branch.ts';
import {conflictsSeenBy} from '../../../app/branch/seen-by.ts';
import {updateBranch} from '../../../app/branch/update-branch.ts';
import {validateBranch} from '../../../app/branch/validate-branch.ts';
import type {Caller} from '../../../app/caller.ts';
import type {Workflow} from '../../../app/task/workflow.ts';
import {type BranchName, parseBranchName} from '../../../domain/branch/branch.ts';
import {validationError} from '../../../domain/errors.ts';
import {parseAt} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {actingCaller, type GivenContext} from '../mutation/acting-caller.ts';
import {ContextInput} from '../mutation/kind-inputs.ts';
import {BranchType} from './branch-types.ts';

const text = {type: GraphQLString};
const required = {type: new GraphQLNonNull(GraphQLString)};
const flag = {type: GraphQLBoolean};

export const TaskInfo = new GraphQLObjectType({name: 'TaskInfo', fields: {id: text}});

const task = {type: TaskInfo, description: 'Null when the answer waited for the work, which then is done.'};

interface Given {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly origin_branch?: string | null;
  readonly branched_from?: string | null;
  readonly sync_with_git?: boolean | null;
}

export interface Call {
  readonly context: FieldContext;
  /** For whom it is done: who asked, or another for whom they may act. */
  readonly caller: Caller;
  readonly message: string | undefined;
  readonly isDryRun: boolean;
}

/**
 * A mutation with `data`, `context` and the wish to wait. Who does not wait gets what `later` answers; a dry run, and
 * work that has no `later`, is done at once.
 */
export function mutation<Data>(
  name: string,
  input: GraphQLInputFieldConfigMap,
  fields: GraphQLObjectTypeConfig<unknown, FieldContext>['fields'],
  run: (call: Call, data: Data) => Promise<object>,
  later: (call: Call, data: Data) => Promise<object> = run,
): GraphQLFieldConfig<unknown, FieldContext> {
  return {
    type: new GraphQLObjectType<unknown, FieldContext>({name, fields}),
    args: {
      data: {type: new GraphQLNonNull(new GraphQLInputObjectType({name: `${name}Input`, fields: input}))},
      context: {type: ContextInput},
      wait_until_completion: {type: GraphQLBoolean, defaultValue: true},
      background_execution: {
        type: GraphQLBoolean,
        deprecationReason: 'Set wait_until_completion to false instead.',
      },
      dry_run: flag,
    },
    async resolve(_source, args, context) {
      const given = args.context as GivenContext | null | undefined;
      const caller = await actingCaller(context, given);
      const message = given?.message ?? undefined;
      const isDryRun = args.dry_run === true;
      const waits = args.wait_until_completion !== false && args.background_execution !== true;
      return (waits || isDryRun ? run : later)({context, caller, message, isDryRun}, args.data as Data);
    },
  };
}

const named = ({name}: Given): BranchName => {
  if (!name) throw validationError('Name the branch in data.name');
  return name as BranchName;
};

function combineRequest({isDryRun, message}: Call, data: Given): CombineRequest {
  return {branch: named(data), isDryRun, ...(message === undefined ? {} : {message})};
}

/** A conflict that nobody has decided refuses the mutation; a dry run of it too, so that both answer alike. */
async function combined({context, caller}: Call, data: Given, outcome: CombineOutcome): Promise<object> {
  const branch = await context.services.store.branch(named(data));
  if (outcome.is === 'conflicted') {
    const seen = await conflictsSeenBy(context.services, caller, branch, outcome.conflicts);
    throw conflictsRefused(branch, outcome.conflicts, seen);
  }
  return {ok: true, object: branch, task: null, changes: outcome.is === 'done' ? outcome.changes : 0};
}

/** Refuses what is known to be refused, and queues the rest. */
export async function queued(
  {context, caller, message}: Call,
  data: Given,
  workflow: Workflow<BranchTask>,
): Promise<object> {
  const {store, tasks} = context.services;
  const branch = await store.branch(named(data));
  const by = {caller: context.caller, acting: caller};
  const id = await tasks.enqueue(branchTask(workflow, by, branch.name, message));
  return {ok: true, object: branch, task: {id}};
}

function creation({context}: Call, data: Given): CreateBranch {
  const {store} = context.services;
  const at = data.branched_from ? parseAt(data.branched_from, store.now(), store.oldest) : undefined;
  return {
    name: parseBranchName(data.name ?? ''),
    description: data.description ?? '',
    syncWithGit: data.sync_with_git ?? true,
    ...(data.origin_branch ? {origin: data.origin_branch} : {}),
    ...(at === undefined ? {} : {at}),
  };
}

const combinedFields = {ok: flag, object: {type: BranchType}, task};

export const branchMutations: GraphQLFieldConfigMap<unknown, FieldContext> = {
  BranchCreate: mutation<Given>(
    'BranchCreate',
    {
      id: {...text, deprecationReason: 'Branches are given their id.'},
      name: required,
      description: text,
      origin_branch: {...text, description: 'The branch to start from; the default branch when absent.'},
      branched_from: {...text, description: 'The instant to start from: ISO 8601, -<n>s|m|h|d, or now.'},
      sync_with_git: {type: GraphQLBoolean, defaultValue: true},
      is_isolated: {type: GraphQLBoolean, deprecationReason: 'Every branch is isolated.'},
    },
    {ok: flag, object: {type: BranchType}, task},
    async (call, data) => {
      if (call.isDryRun) throw validationError('BranchCreate has no dry run');
      const object = await createBranch(call.context.services, call.caller, creation(call, data));
      return {ok: true, object, task: null};
    },
    async (call, data) => {
      const by = {caller: call.context.caller, acting: call.caller};
      const id = await call.context.services.tasks.enqueue(createBranchTask(by, creation(call, data)));
      return {ok: true, object: null, task: {id}};
    },
  ),
  BranchUpdate: mutation<Given>(
    'BranchUpdate',
    {name: required, description: text},
    {ok: flag},
    async ({context, caller}, data) => {
      const branch = named(data);
      if (data.description === undefined || data.description === null) {
        await context.services.store.branch(branch);
        return {ok: true};
      }
      await updateBranch(context.services, caller, {branch, description: data.description});
      return {ok: true};
    },
  ),
  BranchDelete: mutation<Given>(
    'BranchDelete',
    {name: text, delete_from_git: {type: GraphQLBoolean, defaultValue: false}},
    {ok: flag, task},
    async ({context, caller, isDryRun}, data) => {
      if (isDryRun) throw validationError('BranchDelete has no dry run');
      await deleteBranch(context.services, caller, named(data));
      return {ok: true, task: null};
    },
    (call, data) => queued(call, data, BRANCH_DELETE),
  ),
  BranchRebase: mutation<Given>(
    'BranchRebase',
    {name: text},
    combinedFields,
    async (call, data) =>
      combined(
        call,
        data,
        await rebaseBranch(call.context.services, call.caller, combineRequest(call, data)),
      ),
    (call, data) => queued(call, data, BRANCH_REBASE),
  ),
  BranchMerge: mutation<Given>(
    'BranchMerge',
    {name: text},
    combinedFields,
    async (call, data) =>
      combined(call, data, await mergeBranch(call.context.services, call.caller, combineRequest(call, data))),
    async (call, data) => {
      await authorizeMerge(call.context.services, call.caller, named(data));
      return queued(call, data, BRANCH_MERGE);
    },
  ),
  BranchValidate: mutation<Given>(
    'BranchValidate',
    {name: text},
    {...combinedFields, messages: {type: new GraphQLList(GraphQLString)}},
    async ({context, caller}, data) => {
      const {isMergeable, messages} = await validateBranch(context.services, caller, named(data));
      const object = await context.services.store.branch(named(data));
      return {ok: isMergeable, object, messages, task: null};
    },
    (call, data) => queued(call, data, BRANCH_VALIDATE),
  ),
};
