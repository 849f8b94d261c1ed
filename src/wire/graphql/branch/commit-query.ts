import {
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {formatInstant, type Instant} from '../../../domain/time/instant.ts';
import type {CommitRecord} from '../../../ports/graph-store.ts';
import {encodeCursor} from '../cursor.ts';
import type {FieldContext} from '../engine.ts';
import {pageOf} from '../filter/page.ts';
import {PageInfo} from '../types/metadata-types.ts';
import {DateTimeScalar} from '../types/scalars.ts';
import {commitsSeen} from './commits-seen.ts';

const text = {type: new GraphQLNonNull(GraphQLString)};
const count = {type: new GraphQLNonNull(GraphQLInt)};
/** Cursors of commits are good for no other list. */
const ORDER_TAG = 'commit';

const Commit = new GraphQLObjectType<CommitRecord, FieldContext>({
  name: 'ServiceCommitNode',
  fields: {
    id: {...text, description: 'What BranchRevert takes as commit.', resolve: ({instant}) => String(instant)},
    branch: text,
    committed_at: {
      type: new GraphQLNonNull(DateTimeScalar),
      resolve: ({instant}) => formatInstant(instant),
    },
    author: {type: GraphQLString, description: 'The id of the account; null for the service itself.'},
    message: text,
    num_nodes: {...count, description: 'Objects that it touched.', resolve: ({nodesTouched}) => nodesTouched},
    num_relationships: {
      ...count,
      description: 'Edges between objects that it touched.',
      resolve: ({edgesTouched}) => edgesTouched,
    },
  },
});

const Edge = new GraphQLObjectType<CommitRecord, FieldContext>({
  name: 'ServiceCommitEdge',
  fields: {
    cursor: {...text, resolve: ({instant}) => cursorOf(instant)},
    node: {type: new GraphQLNonNull(Commit), resolve: commit => commit},
  },
});

const Commits = new GraphQLObjectType({
  name: 'ServiceCommits',
  fields: {
    edges: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Edge)))},
    pageInfo: {type: new GraphQLNonNull(PageInfo)},
  },
});

const cursorOf = (instant: Instant): string => encodeCursor(['', instant], ORDER_TAG);

const PAGE_ROWS = 50;

/** The commits of a branch, newest first: its own, not those of its origin. */
export const commitQuery: GraphQLFieldConfigMap<unknown, FieldContext> = {
  ServiceCommit: {
    type: new GraphQLNonNull(Commits),
    args: {
      branch: {type: GraphQLString, description: 'The branch of the request when absent.'},
      first: {type: GraphQLInt},
      after: {type: GraphQLString},
      limit: {type: GraphQLInt},
      offset: {type: GraphQLInt},
    },
    async resolve(_source, args, context) {
      const {services, branch, at} = context;
      const {limits} = services;
      const asked = pageOf(args, limits.pageRowsMax, ORDER_TAG) ?? {limit: PAGE_ROWS, offset: 0};
      const after = 'after' in asked ? asked.after : null;
      const offset = 'offset' in asked ? asked.offset : 0;
      const name = ((args.branch as string | null | undefined) || branch) as BranchName;
      const until = after === null ? at : Math.min(after[1] - 1, at ?? Number.POSITIVE_INFINITY);
      const read = await commitsSeen(context, {
        branch: name,
        limit: Math.min(offset + asked.limit, Number.MAX_SAFE_INTEGER - 1) + 1,
        newestFirst: true,
        ...(until === undefined ? {} : {until: until as Instant}),
      });
      const edges = read.slice(offset, offset + asked.limit);
      const found = edges.map(({instant}) => ({cursor: ['', instant]}));
      return {
        edges,
        pageInfo: {
          page: {found, hasMore: read.length > offset + asked.limit},
          hasPrevious: after !== null || offset > 0,
          orderTag: ORDER_TAG,
        },
      };
    },
  },
};
