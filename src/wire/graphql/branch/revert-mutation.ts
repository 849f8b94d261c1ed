import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {revertCommit} from '../../../app/branch/revert-commit.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {validationError} from '../../../domain/errors.ts';
import type {Conflict} from '../../../domain/merge/conflict.ts';
import {conflictPath} from '../../../domain/merge/conflict-path.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {GenericScalar} from '../types/scalars.ts';
import {mutation, TaskInfo} from './branch-mutations.ts';
import {BranchType} from './branch-types.ts';

const text = {type: GraphQLString};
const required = {type: new GraphQLNonNull(GraphQLString)};

const RevertConflict = new GraphQLObjectType<Conflict, FieldContext>({
  name: 'BranchRevertConflict',
  description: 'Something that later commits changed again, and that stays as they left it.',
  fields: {
    path_identifier: {...required, resolve: ({subject}) => conflictPath(subject)},
    node_id: {...text, resolve: ({subject}) => (subject.is === 'schema' ? null : subject.node)},
    kind: {...text, resolve: ({subject}) => (subject.is === 'schema' ? null : subject.kind)},
    reverted_value: {
      type: GenericScalar,
      description: 'What the commit had replaced.',
      resolve: ({branch}) => branch.value,
    },
    current_value: {type: GenericScalar, resolve: ({origin}) => origin.value},
  },
});

interface Given {
  readonly name: string;
  readonly commit: string;
  readonly branch?: string | null;
}

export const revertMutation: GraphQLFieldConfigMap<unknown, FieldContext> = {
  BranchRevert: mutation<Given>(
    'BranchRevert',
    {
      name: {...required, description: 'The branch to make; the inverse of the commit stands on it.'},
      commit: {...required, description: 'The id of a commit, as ServiceCommit lists them.'},
      branch: {...text, description: 'The branch of the commit; the default branch when absent.'},
    },
    {
      ok: {type: GraphQLBoolean},
      object: {type: BranchType},
      conflicts: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(RevertConflict)))},
      task: {type: TaskInfo},
    },
    async ({context, caller, message, isDryRun}, {name, commit, branch}) => {
      if (isDryRun) throw validationError('BranchRevert has no dry run; delete the branch that it makes');
      const {services} = context;
      const from = await services.store.branch((branch || services.store.defaultBranch) as BranchName);
      const reverted = await revertCommit(services, caller, {
        name,
        branch: from.name,
        commit: instantOf(commit),
        ...(message === undefined ? {} : {message}),
      });
      return {ok: true, object: reverted.branch, conflicts: reverted.conflicts, task: null};
    },
  ),
};

function instantOf(commit: string): Instant {
  if (!/^\d{1,16}$/.test(commit)) throw validationError(`"${commit}" is not the id of a commit`);
  return Number(commit) as Instant;
}
