import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {requestSync, tryConnection} from '../../../app/repository/request-sync.ts';
import type {GitHost} from '../../../ports/git-host.ts';
import {TaskInfo} from '../branch/branch-mutations.ts';
import type {FieldContext} from '../engine.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';

const required = {type: new GraphQLNonNull(GraphQLString)};

interface Given {
  readonly data: {readonly id: string};
}

type Field = GraphQLFieldConfig<unknown, FieldContext, Given>;

const dataOf = (name: string) => ({
  data: {
    type: new GraphQLNonNull(
      new GraphQLInputObjectType({
        name: `${name}Input`,
        fields: {id: {...required, description: 'The id or the name of the repository.'}},
      }),
    ),
  },
});

function syncField(name: string): Field {
  return {
    type: new GraphQLObjectType({name, fields: {ok: {type: GraphQLBoolean}, task: {type: TaskInfo}}}),
    args: dataOf(name),
    async resolve(_source, {data}, {services, caller}) {
      return {ok: true, task: {id: await requestSync(services, caller, data.id)}};
    },
  };
}

function connectivityField(git: GitHost): Field {
  const name = 'ServiceRepositoryConnectivity';
  return {
    type: new GraphQLObjectType({
      name,
      fields: {ok: {type: new GraphQLNonNull(GraphQLBoolean)}, message: required},
    }),
    args: dataOf(name),
    async resolve(_source, {data}, {services, caller}) {
      const problem = await tryConnection({...services, git}, caller, data.id);
      return {ok: problem === undefined, message: problem ?? 'Successfully accessed repository'};
    },
  };
}

/** Root fields that have repositories looked at now. */
export const repositoryFields =
  (git: GitHost): RootFieldsMaker =>
  () => ({
    query: {},
    mutation: {
      ServiceRepositoryProcess: syncField('ServiceRepositoryProcess'),
      ServiceReadOnlyRepositoryImportLastCommit: syncField('ServiceReadOnlyRepositoryImportLastCommit'),
      ServiceRepositoryConnectivity: connectivityField(git),
    },
  });
