import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import type {Branch} from '../../../domain/branch/branch.ts';
import {validationError} from '../../../domain/errors.ts';
import {formatInstant, type Instant, parseIsoMicros} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {OrderInput} from '../filter/order.ts';
import {pageOf} from '../filter/page.ts';
import {DateTimeScalar} from '../types/scalars.ts';
import {BranchStatus, BranchType, WrappedBranchType} from './branch-types.ts';
import {commitsSeen} from './commits-seen.ts';

interface Row {
  readonly branch: Branch;
  readonly updatedAt: Instant;
  readonly createdBy: string | null;
}

const Metadata = new GraphQLObjectType<Row, FieldContext>({
  name: 'InfrahubBranchMetadata',
  fields: {
    created_at: {type: DateTimeScalar, resolve: ({branch}) => formatInstant(branch.createdAt)},
    updated_at: {type: DateTimeScalar, resolve: ({updatedAt}) => formatInstant(updatedAt)},
    created_by: {
      type: GraphQLString,
      description: 'The id of the account.',
      resolve: ({createdBy}) => createdBy,
    },
  },
});

const Edge = new GraphQLObjectType<Row, FieldContext>({
  name: 'InfrahubBranchEdge',
  fields: {
    node: {type: new GraphQLNonNull(WrappedBranchType), resolve: ({branch}) => branch},
    node_metadata: {type: new GraphQLNonNull(Metadata), resolve: row => row},
  },
});

const Branches = new GraphQLObjectType({
  name: 'InfrahubBranchType',
  fields: {
    count: {type: new GraphQLNonNull(GraphQLInt)},
    default_branch: {type: new GraphQLNonNull(WrappedBranchType)},
    edges: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Edge)))},
  },
});

const time = {type: DateTimeScalar};

interface Given {
  readonly ids?: readonly (string | null)[] | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
  readonly name__value?: string | null;
  readonly partial_match?: boolean | null;
  readonly status__value?: string | null;
  readonly node_metadata__created_by__id?: string | null;
  readonly order?: {readonly node_metadata?: Readonly<Record<string, string | null>> | null} | null;
  readonly [bound: `${string}__before` | `${string}__after`]: string | null | undefined;
}

/** Branches as they are now, of those that were there at the instant of the request; not the hidden one that all share. */
export const branchQueries: GraphQLFieldConfigMap<unknown, FieldContext> = {
  Branch: {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(BranchType))),
    args: {ids: {type: new GraphQLList(GraphQLID)}, name: {type: GraphQLString}},
    async resolve(_source, args, context) {
      const {ids, name} = args as {readonly ids?: readonly string[] | null; readonly name?: string | null};
      const all = await branchesThen(context);
      return all.filter(branch => (!ids || ids.includes(branch.id)) && (!name || branch.name === name));
    },
  },
  ServiceBranch: {
    type: new GraphQLNonNull(Branches),
    args: {
      ids: {type: new GraphQLList(GraphQLID)},
      limit: {type: GraphQLInt},
      offset: {type: GraphQLInt},
      name__value: {type: GraphQLString},
      partial_match: {type: GraphQLBoolean, defaultValue: false},
      status__value: {type: BranchStatus},
      branched_from__before: time,
      branched_from__after: time,
      node_metadata__created_at__before: time,
      node_metadata__created_at__after: time,
      node_metadata__updated_at__before: time,
      node_metadata__updated_at__after: time,
      node_metadata__created_by__id: {type: GraphQLID},
      order: {type: OrderInput},
    },
    async resolve(_source, args, context) {
      const {services} = context;
      const given = args as Given;
      const {limits} = services;
      const page = pageOf({limit: given.limit ?? null, offset: given.offset ?? null}, limits.pageRowsMax, '');
      const branches = await branchesThen(context);
      const rows = await Promise.all(branches.map(branch => rowOf(context, branch)));
      const found = rows.filter(row => isAsked(row, given)).sort(ordering(given));
      const start = page !== undefined && 'offset' in page ? page.offset : 0;
      return {
        count: found.length,
        default_branch: must(
          branches.find(branch => branch.isDefault),
          'the default branch',
        ),
        edges: found.slice(start, start + (page?.limit ?? limits.pageRowsMax)),
      };
    },
  },
};

async function branchesThen({services, at}: FieldContext): Promise<readonly Branch[]> {
  const branches = await services.store.branches();
  return at === undefined ? branches : branches.filter(({createdAt}) => createdAt <= at);
}

async function rowOf(context: FieldContext, branch: Branch): Promise<Row> {
  const {store} = context.services;
  const [last] = await commitsSeen(context, {branch: branch.name, limit: 1, newestFirst: true});
  const createdBy = (await store.authors([branch.createdAt])).get(branch.createdAt) ?? null;
  return {branch, updatedAt: last?.instant ?? branch.createdAt, createdBy};
}

function isAsked({branch, updatedAt, createdBy}: Row, given: Given): boolean {
  const {ids, name__value: name, status__value: status} = given;
  if (ids && !ids.includes(branch.id)) return false;
  if (name) {
    const isLike = branch.name.toLowerCase().includes(name.toLowerCase());
    if (given.partial_match ? !isLike : branch.name !== name) return false;
  }
  if (status && status !== 'OPEN') return false;
  const author = given.node_metadata__created_by__id;
  if (author && createdBy !== author) return false;
  return (
    isWithin(branch.forkedAt, 'branched_from', given) &&
    isWithin(branch.createdAt, 'node_metadata__created_at', given) &&
    isWithin(updatedAt, 'node_metadata__updated_at', given)
  );
}

function isWithin(instant: Instant, name: string, given: Given): boolean {
  const bound = (side: 'before' | 'after') => {
    const text = given[`${name}__${side}`];
    return text ? must(parseIsoMicros(text), 'a time') : undefined;
  };
  const [before, after] = [bound('before'), bound('after')];
  return (before === undefined || instant < before) && (after === undefined || instant > after);
}

function ordering({order}: Given): (a: Row, b: Row) => number {
  const asked = Object.entries(order?.node_metadata ?? {}).find(([, direction]) => direction);
  if (asked === undefined) {
    if (order) throw validationError('Branches are ordered by node_metadata: created_at or updated_at');
    return (a, b) => Number(b.branch.isDefault) - Number(a.branch.isDefault) || compareNames(a, b);
  }
  const [by, direction] = asked;
  const sign = direction === 'DESC' ? -1 : 1;
  const instant = (row: Row) => (by === 'updated_at' ? row.updatedAt : row.branch.createdAt);
  return (a, b) => sign * (instant(a) - instant(b)) || compareNames(a, b);
}

const compareNames = (a: Row, b: Row): number => (a.branch.name < b.branch.name ? -1 : 1);
