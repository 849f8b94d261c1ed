import type {GraphQLField} from 'graphql';

/** What a mutation of a kind does. */
export interface MutationMeaning {
  readonly verb:
    | 'create'
    | 'update'
    | 'upsert'
    | 'delete'
    | 'createMany'
    | 'upsertMany'
    | 'deleteMany'
    | 'addPeers'
    | 'removePeers';
  readonly kind: string;
}

export const mutationOf = (field: GraphQLField<unknown, unknown>): MutationMeaning | undefined =>
  field.extensions.mutation as MutationMeaning | undefined;
