import {GraphQLInputObjectType, GraphQLList, GraphQLString} from 'graphql';
import type {DiffNode} from '../../../domain/diff/diff-node.ts';
import {DiffAction} from './diff-types.ts';

const texts = {type: new GraphQLList(GraphQLString)};
const actions = {type: new GraphQLList(DiffAction)};

export const DiffTreeQueryFilters = new GraphQLInputObjectType({
  name: 'DiffTreeQueryFilters',
  fields: {
    ids: texts,
    status: {
      type: new GraphQLInputObjectType({
        name: 'IncExclActionFilterOptions',
        fields: {includes: actions, excludes: actions},
      }),
    },
    kind: {
      type: new GraphQLInputObjectType({
        name: 'IncExclFilterOptions',
        fields: {includes: texts, excludes: texts},
      }),
    },
    namespace: {
      type: new GraphQLInputObjectType({
        name: 'IncExclNamespaceFilterOptions',
        fields: {includes: texts, excludes: texts},
      }),
    },
  },
});

type Words = readonly (string | null)[] | null | undefined;

interface Choice {
  readonly includes?: Words;
  readonly excludes?: Words;
}

export interface GivenFilters {
  readonly ids?: Words;
  readonly status?: Choice | null;
  readonly kind?: Choice | null;
  readonly namespace?: Choice | null;
}

/** Whether the filters let a node through; namespaces are the first word of a kind. */
export function isAsked(node: DiffNode, {ids, status, kind, namespace}: GivenFilters): boolean {
  if (ids && ids.length > 0 && !ids.includes(node.id)) return false;
  const [, first = ''] = /^([A-Z][a-z0-9]+)/.exec(node.kind) ?? [];
  return passes(node.status, status) && passes(node.kind, kind) && passes(first, namespace);
}

function passes(word: string, choice: Choice | null | undefined): boolean {
  const {includes, excludes} = choice ?? {};
  if (includes && includes.length > 0 && !includes.includes(word)) return false;
  return !excludes?.includes(word);
}
