import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLString,
} from 'graphql';
import {type BranchDiff, diffBranch} from '../../../app/branch/diff-branch.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import type {DiffNode} from '../../../domain/diff/diff-node.ts';
import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {type Instant, parseAt} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {pageOf} from '../filter/page.ts';
import {DateTimeScalar} from '../types/scalars.ts';
import {headerFace, namedIn, nodeFace} from './diff-face.ts';
import {DiffTreeQueryFilters, type GivenFilters, isAsked} from './diff-filters.ts';
import {labelsOf, type Place, placeOf} from './diff-labels.ts';
import {parentsOf} from './diff-parents.ts';
import {DiffTree, DiffTreeSummary} from './diff-types.ts';

interface Given {
  readonly branch?: string | null;
  readonly name?: string | null;
  readonly from_time?: string | null;
  readonly to_time?: string | null;
  readonly filters?: GivenFilters | null;
  readonly include_parents?: boolean | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
  readonly root_node_uuids?: readonly (string | null)[] | null;
  readonly proposed_change_id?: string | null;
}

const common: GraphQLFieldConfigArgumentMap = {
  branch: {type: GraphQLString, description: 'The branch of the request when absent.'},
  name: {type: GraphQLString, description: 'Given back; every diff is worked out when it is asked for.'},
  from_time: {type: DateTimeScalar, description: 'Since the branch left its origin when absent.'},
  to_time: {
    type: DateTimeScalar,
    description: 'The instant of the request when absent: now unless it names one.',
  },
  filters: {type: DiffTreeQueryFilters},
  proposed_change_id: {type: GraphQLString},
};

export const diffQueries: GraphQLFieldConfigMap<unknown, FieldContext> = {
  DiffTree: {
    type: DiffTree,
    args: {
      ...common,
      include_parents: {type: GraphQLBoolean, defaultValue: true},
      limit: {type: GraphQLInt},
      offset: {type: GraphQLInt},
      root_node_uuids: {type: new GraphQLList(GraphQLString), deprecationReason: 'Use filters: {ids}.'},
    },
    async resolve(_source, args, context) {
      const given = args as Given;
      const {pageRowsMax} = context.services.limits;
      const page = pageOf({limit: given.limit ?? null, offset: given.offset ?? null}, pageRowsMax, '');
      const diff = await diffOf(context, given);
      const asked = askedNodes(diff, given);
      const start = page !== undefined && 'offset' in page ? page.offset : 0;
      const shown = page === undefined ? asked : asked.slice(start, start + page.limit);
      if (shown.length > pageRowsMax) {
        throw validationError(
          `The diff has more than ${pageRowsMax} nodes; ask for a page with limit and offset`,
        );
      }
      return {
        ...headerFace(diff, asked),
        name: given.name ?? null,
        nodes: () => faces(context, diff, shown, given.include_parents !== false),
      };
    },
  },
  DiffTreeSummary: {
    type: DiffTreeSummary,
    args: common,
    async resolve(_source, args, context) {
      const given = args as Given;
      const diff = await diffOf(context, given);
      const asked = askedNodes(diff, given);
      const unchanged = async () => {
        const {frame} = await parentsOf(placesOf(context, diff), asked, byId(diff.nodes));
        const framed = frame.filter(node => node.status === 'unchanged').length;
        return framed + asked.filter(node => node.status === 'unchanged').length;
      };
      return {...headerFace(diff, asked), num_unchanged: unchanged};
    },
  },
};

async function diffOf(context: FieldContext, given: Given): Promise<BranchDiff> {
  const {services, caller} = context;
  const {store} = services;
  if (given.proposed_change_id) {
    throw validationError('Name the branch of the proposed change instead of its id');
  }
  const instant = (text: string | null | undefined): Instant | undefined =>
    text ? parseAt(text, store.now(), store.oldest) : undefined;
  const [from, to] = [instant(given.from_time), instant(given.to_time) ?? context.at];
  return diffBranch(services, caller, {
    branch: (given.branch || context.branch) as BranchName,
    ...(from === undefined ? {} : {from}),
    ...(to === undefined ? {} : {to}),
  });
}

function askedNodes(diff: BranchDiff, {filters, root_node_uuids}: Given): readonly DiffNode[] {
  const ids = root_node_uuids && root_node_uuids.length > 0 ? root_node_uuids : undefined;
  return diff.nodes.filter(
    node => isAsked(node, filters ?? {}) && (ids === undefined || ids.includes(node.id)),
  );
}

const byId = (nodes: readonly DiffNode[]): ReadonlyMap<string, DiffNode> =>
  new Map(nodes.map(node => [node.id, node]));

const placesOf = ({services, caller}: FieldContext, {before, after}: BranchDiff): readonly Place[] =>
  [after, before].map(snapshot => placeOf(services, caller, snapshot));

async function faces(
  context: FieldContext,
  diff: BranchDiff,
  nodes: readonly DiffNode[],
  withParents: boolean,
): Promise<readonly object[]> {
  const places = placesOf(context, diff);
  const parents = withParents ? await parentsOf(places, nodes, byId(diff.nodes)) : {of: new Map(), frame: []};
  const shown = [...parents.frame, ...nodes];
  const origin = await context.services.store.snapshot({branch: diff.base});
  const labels = await labelsOf(
    [...places, placeOf(context.services, context.caller, origin)],
    namedIn(shown),
  );
  const instants = shown.flatMap(node => [
    ...(node.changedAt === undefined ? [] : [node.changedAt]),
    ...node.attributes.map(attribute => attribute.changedAt),
  ]);
  const authors = await authorsSeen(context, [...new Set(instants)]);
  const words = {branch: diff.branch, schema: places[0]!.schema, labels, authors, parents: parents.of};
  return shown.map(node => nodeFace(node, words));
}

/** Who made the commits, where the caller may know. */
async function authorsSeen(
  {services, caller, view}: FieldContext,
  instants: readonly Instant[],
): Promise<ReadonlyMap<Instant, NodeId | null>> {
  const authors = await services.store.authors(instants);
  if (view.shows(ACCOUNT)) return authors;
  return new Map([...authors].filter(([, account]) => account === caller.account));
}

const ACCOUNT = 'CoreAccount';
