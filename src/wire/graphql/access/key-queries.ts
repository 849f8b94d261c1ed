import {
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {AccessServices} from '../../../app/access/access-services.ts';
import {listKeys} from '../../../app/access/api-keys.ts';
import {validationError} from '../../../domain/errors.ts';
import type {FieldContext} from '../engine.ts';
import {connectionOf} from './connection.ts';

const AccountToken = new GraphQLObjectType({
  name: 'AccountTokenNode',
  fields: {
    id: {type: new GraphQLNonNull(GraphQLString)},
    name: {type: GraphQLString},
    expiration: {type: GraphQLString},
    last_used_at: {type: GraphQLString, description: 'To about half a minute.'},
  },
});

/** The caller's API keys; a secret is never among what is told. */
export function keyQueries(deps: AccessServices): GraphQLFieldConfigMap<unknown, FieldContext> {
  return {
    ServiceAccountToken: {
      type: new GraphQLNonNull(connectionOf(AccountToken)),
      args: {
        limit: {type: GraphQLInt, defaultValue: 10},
        offset: {type: GraphQLInt, defaultValue: 0},
      },
      async resolve(_source, args, {caller, list}) {
        const limit = (args.limit as number | null) ?? 10;
        const offset = (args.offset as number | null) ?? 0;
        const {pageRowsMax} = list.limits;
        if (limit < 0 || limit > pageRowsMax || offset < 0) {
          throw validationError(`limit is from 0 to ${pageRowsMax}, and offset is not negative`);
        }
        const {count, keys} = await listKeys(deps, caller, {limit, offset});
        const edges = keys.map(({id, name, expiration, lastUsedAt}) => ({
          node: {id, name, expiration, last_used_at: lastUsedAt},
        }));
        return {count, edges};
      },
    },
  };
}
