import {DirectiveLocation, GraphQLDirective, GraphQLList, GraphQLString, specifiedDirectives} from 'graphql';

export const ExpandDirective = new GraphQLDirective({
  name: 'expand',
  description: 'Adds id, __typename and every attribute of an object to its selection.',
  locations: [DirectiveLocation.FIELD, DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {exclude: {type: new GraphQLList(GraphQLString), description: 'Attributes to leave out.'}},
});

export const AtomicDirective = new GraphQLDirective({
  name: 'atomic',
  description: 'Makes all mutations of the operation one commit: all of them, or none.',
  locations: [DirectiveLocation.MUTATION],
});

export const DIRECTIVES: readonly GraphQLDirective[] = [
  ...specifiedDirectives,
  ExpandDirective,
  AtomicDirective,
];
