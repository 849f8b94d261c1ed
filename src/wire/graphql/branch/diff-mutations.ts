import {GraphQLBoolean, type GraphQLFieldConfigMap, GraphQLNonNull, GraphQLString} from 'graphql';
import {DIFF_UPDATE} from '../../../app/branch/branch-workflows.ts';
import {resolveConflict} from '../../../app/branch/resolve-conflict.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import type {Side} from '../../../domain/merge/conflict.ts';
import type {FieldContext} from '../engine.ts';
import {DateTimeScalar} from '../types/scalars.ts';
import {mutation, queued, TaskInfo} from './branch-mutations.ts';
import {ConflictSelection} from './diff-types.ts';

const flag = {type: GraphQLBoolean};

export const diffMutations: GraphQLFieldConfigMap<unknown, FieldContext> = {
  DiffUpdate: mutation<{readonly branch: string}>(
    'DiffUpdate',
    {
      branch: {type: new GraphQLNonNull(GraphQLString)},
      name: {type: GraphQLString},
      from_time: {type: DateTimeScalar},
      to_time: {type: DateTimeScalar},
      wait_for_completion: {type: GraphQLBoolean, deprecationReason: 'A diff is never out of date.'},
    },
    {ok: flag, task: {type: TaskInfo}},
    async ({context}, {branch}) => {
      await context.services.store.branch(branch as BranchName);
      return {ok: true, task: null};
    },
    (call, {branch}) => queued(call, {name: branch}, DIFF_UPDATE),
  ),
  ResolveDiffConflict: mutation<{readonly conflict_id: string; readonly selected_branch?: Side | null}>(
    'ResolveDiffConflict',
    {
      conflict_id: {type: new GraphQLNonNull(GraphQLString)},
      selected_branch: {type: ConflictSelection, description: 'Null: undecided again.'},
    },
    {ok: flag},
    async ({context}, {conflict_id, selected_branch}) => {
      await resolveConflict(context.services, {conflict: conflict_id, side: selected_branch ?? null});
      return {ok: true};
    },
  ),
};
