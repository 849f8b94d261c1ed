import {GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType} from 'graphql';

/** A list in the manner of the API, of things that are no objects of the graph. */
export function connectionOf(node: GraphQLObjectType): GraphQLObjectType {
  const edge = new GraphQLObjectType({
    name: `${node.name}Edge`,
    fields: {node: {type: new GraphQLNonNull(node)}},
  });
  return new GraphQLObjectType({
    name: `${node.name}Edges`,
    fields: {
      count: {type: new GraphQLNonNull(GraphQLInt)},
      edges: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge)))},
    },
  });
}
