import {defaultFieldResolver, type GraphQLFieldResolver, type GraphQLResolveInfo} from 'graphql';
import {unreachable} from '../../../base/assert.ts';
import {narrowQuery} from '../../../domain/access/narrow-query.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Include, NodeQuery} from '../../../domain/query/node-query.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Found, Page} from '../../../ports/graph-store.ts';
import {requireViewed, viewedBy} from '../access.ts';
import type {FieldContext} from '../engine.ts';
import {labelOf} from '../labels.ts';
import {type Listing, meaningOf, type PeersMeaning} from '../meaning.ts';
import type {Reading} from '../plan/document.ts';
import {type ArgumentValues, listRequest} from '../plan/list-request.ts';
import {listing} from '../plan/writer.ts';
import {requireWhole} from '../rows.ts';
import type {EdgeSource} from '../types/kind-types.ts';

/**
 * Answers every field in one step from its source, as one would explain it on paper. It serves what the compiler
 * leaves to graphql-js, and the compiler is compared with it.
 */
export const plainResolver: GraphQLFieldResolver<unknown, FieldContext> = (source, args, context, info) => {
  const field = info.parentType.getFields()[info.fieldName];
  const meaning = field === undefined ? undefined : meaningOf(field);
  if (field === undefined || meaning === undefined) return defaultFieldResolver(source, args, context, info);
  switch (meaning.is) {
    case 'leaf':
    case 'object':
      return meaning.read(source as never, context);
    case 'list':
      return list(meaning.kind, args, context, info);
    case 'peers':
      return peers(meaning, (source as Found).node, args, context, info);
    case 'label':
      return label(meaning.label, (source as Found).node, context);
    case 'lookup':
      return objectOf(meaning.kind, meaning.id(source as never), context);
    case 'author':
      return authorOf(meaning.instant(source as never, context), context);
    case 'deferred':
      return meaning.load(source as never, args, context as never);
    case 'caller':
      return objectWith('CoreGenericAccount', context.caller.account, context);
    default:
      return unreachable(meaning);
  }
};

async function list(
  kind: string,
  args: ArgumentValues,
  context: FieldContext,
  info: GraphQLResolveInfo,
): Promise<Listing> {
  const {schema, list: listContext, view} = context;
  const reading: Reading = {
    schema: info.schema,
    fragments: new Map(Object.entries(info.fragments)),
    variables: info.variableValues,
  };
  const root = {kind: 'SelectionSet', selections: info.fieldNodes} as never;
  requireViewed(view, schema, viewedBy(reading, schema, kind, info.parentType, [root]));
  const request = listRequest(listContext, kind, info.parentType.getFields()[info.fieldName]!, args);
  const {pageRowsMax} = listContext.limits;
  const query: NodeQuery = {
    kind,
    ...narrowQuery(view, schema, kind, request.query),
    page: request.page ?? {limit: pageRowsMax, offset: 0},
    count: true,
  };
  const page = await context.snapshot.query(query);
  requireWhole(kind, page, request.page !== undefined, listContext.limits);
  return listing(page, kind, request);
}

async function peers(
  {relationship, peer, isOne, isTransitive}: PeersMeaning,
  node: NodeRecord,
  args: ArgumentValues,
  context: FieldContext,
  info: GraphQLResolveInfo,
): Promise<Listing | EdgeSource> {
  if (isOne) {
    const page = await related(context, node, {relationship, ...narrowed(context, peer, {})});
    return {found: page.found[0], orderTag: ''};
  }
  const {limits} = context.list;
  const depthMax = limits.hierarchyDepthMax;
  const request = listRequest(context.list, peer, info.parentType.getFields()[info.fieldName]!, args);
  const page = await related(context, node, {
    relationship,
    ...narrowed(context, peer, request.query),
    ...(request.page === undefined ? {} : {page: request.page}),
    count: true,
    ...(isTransitive ? {transitive: {depthMax}} : {}),
    ...(request.ofDescendants ? {ofDescendants: {depthMax}} : {}),
  });
  requireWhole('A list of related objects', page, request.page !== undefined, limits);
  return listing(page, peer, request);
}

const narrowed = ({view, schema}: FieldContext, kind: string, query: Pick<NodeQuery, 'where' | 'order'>) =>
  narrowQuery(view, schema, kind, query);

async function related({snapshot}: FieldContext, node: NodeRecord, include: Include): Promise<Page> {
  const {found} = await snapshot.query({
    kind: node.kind,
    where: {is: 'id', in: [node.id]},
    include: [include],
  });
  return found[0]?.included[0] ?? {found: [], count: 0, hasMore: false};
}

async function label(which: 'display_label' | 'hfid', node: NodeRecord, context: FieldContext) {
  const kind = kindOf(context.schema, node.kind);
  if (!context.view.showsLabel(node.kind, which)) return null;
  const peersByName = new Map<string, NodeRecord | undefined>();
  for (const relationship of kind?.relationships ?? []) {
    if (relationship.cardinality !== 'one') continue;
    const page = await related(context, node, {relationship: relationship.name});
    peersByName.set(relationship.name, page.found[0]?.node);
  }
  return labelOf(context.schema, which, node, name => peersByName.get(name));
}

async function objectOf(kind: string, id: NodeId | null, context: FieldContext): Promise<Found | null> {
  const found = await objectWith(kind, id, context);
  return found !== null && context.view.shows(found.node.kind) ? found : null;
}

async function objectWith(kind: string, id: NodeId | null, {snapshot}: FieldContext): Promise<Found | null> {
  if (id === null) return null;
  const {found} = await snapshot.query({kind, where: {is: 'id', in: [id]}});
  return found[0] ?? null;
}

async function authorOf(instant: NodeRecord['updatedAt'], context: FieldContext): Promise<Found | null> {
  const authors = await context.services.store.authors([instant]);
  return objectOf('CoreGenericAccount', authors.get(instant) ?? null, context);
}
