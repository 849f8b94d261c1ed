import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {FieldContext} from '../engine.ts';
import {ContextInput, RelatedNodeInput} from './kind-inputs.ts';
import type {MutationMeaning} from './mutation-meaning.ts';

const RelationshipNodesInput = new GraphQLInputObjectType({
  name: 'RelationshipNodesInput',
  fields: {
    id: {type: new GraphQLNonNull(GraphQLString), description: 'The object whose relationship it is.'},
    name: {type: new GraphQLNonNull(GraphQLString), description: 'The relationship.'},
    nodes: {type: new GraphQLNonNull(new GraphQLList(RelatedNodeInput))},
  },
});

function mutation(name: string, verb: 'addPeers' | 'removePeers') {
  return {
    type: new GraphQLObjectType({name, fields: {ok: {type: GraphQLBoolean}}}),
    args: {
      data: {type: new GraphQLNonNull(RelationshipNodesInput)},
      context: {type: ContextInput},
      dry_run: {type: GraphQLBoolean},
    },
    extensions: {mutation: {verb, kind: ''} satisfies MutationMeaning},
  };
}

/** Adding and removing peers of a to-many relationship of any object. */
export const relationshipMutations: GraphQLFieldConfigMap<unknown, FieldContext> = {
  RelationshipAdd: mutation('RelationshipAdd', 'addPeers'),
  RelationshipRemove: mutation('RelationshipRemove', 'removePeers'),
};
