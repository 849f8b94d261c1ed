import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {validationError} from '../../../domain/errors.ts';
import {comparePlaces, type EventPlace, formatPlace} from '../../../domain/event/event-place.ts';
import type {GraphEvent} from '../../../domain/event/graph-event.ts';
import {seenEvent} from '../../../domain/event/seen-event.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {EventLog} from '../../../ports/event-log.ts';
import type {FieldContext} from '../engine.ts';
import {cursorOf, FILTER_ARGUMENTS, type FilterArguments, filterOf, placeOf} from './event-arguments.ts';
import {EventNotification} from './event-notification.ts';

const isPage = {type: new GraphQLNonNull(GraphQLBoolean)};

const EventPageInfo = new GraphQLObjectType({
  name: 'ServiceEventPageInfo',
  fields: {
    hasNextPage: {...isPage, description: 'There may be more: a page can be short of what was asked for.'},
    hasPreviousPage: isPage,
    startCursor: {type: GraphQLString},
    endCursor: {type: GraphQLString},
  },
});

const EventEdge = new GraphQLObjectType<GraphEvent, FieldContext>({
  name: 'ServiceEventEdge',
  fields: {
    cursor: {type: new GraphQLNonNull(GraphQLString), resolve: ({place}) => formatPlace(place)},
    node: {type: new GraphQLNonNull(EventNotification), resolve: event => event},
  },
});

const Events = new GraphQLObjectType({
  name: 'ServiceEvents',
  fields: {
    edges: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(EventEdge)))},
    pageInfo: {type: new GraphQLNonNull(EventPageInfo)},
  },
});

interface Given extends FilterArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly account?: string | null;
  readonly since?: string | null;
  readonly until?: string | null;
  readonly oldest_first?: boolean | null;
}

const PAGE_ROWS = 50;
/** Reads of the log that one question may take; it goes on from the page's end. */
const READS_MAX = 40;

/** What has happened, newest first. */
export function eventQuery(log: EventLog): GraphQLFieldConfigMap<unknown, FieldContext> {
  return {
    ServiceEvent: {
      type: new GraphQLNonNull(Events),
      args: {
        first: {type: GraphQLInt},
        after: {type: GraphQLString},
        ...FILTER_ARGUMENTS,
        account: {type: GraphQLString, description: 'The id of the account that did it.'},
        since: {type: GraphQLString, description: 'After the event of this id, or after this time.'},
        until: {type: GraphQLString, description: 'Up to the event of this id, or up to this time.'},
        oldest_first: {type: GraphQLBoolean, defaultValue: false},
      },
      resolve: (_source, args, context) => pageOf(log, args as Given, context),
    },
  };
}

async function pageOf(log: EventLog, given: Given, context: FieldContext) {
  const {store, limits} = context.services;
  const first = given.first ?? PAGE_ROWS;
  if (first < 0 || first > limits.pageRowsMax) {
    throw validationError(`first must be from 0 to ${limits.pageRowsMax}, not ${first}`);
  }
  const newestFirst = given.oldest_first !== true;
  const account = (given.account ?? undefined) as NodeId | undefined;
  const filter = {
    ...filterOf(given, context.schema, context.branch),
    ...(account === undefined ? {} : {account}),
  };
  const since = given.since ? placeOf(store, 'since', given.since) : undefined;
  const until = given.until ? placeOf(store, 'until', given.until) : undefined;
  const after = given.after ? cursorOf('after', given.after) : undefined;
  const [begin, end] = newestFirst ? [until, since] : [since, until];
  let from: EventPlace | undefined =
    after ?? (newestFirst && begin !== undefined ? justBehind(begin) : begin);
  const isWithin = ({place}: GraphEvent) =>
    (since === undefined || comparePlaces(place, since) > 0) &&
    (until === undefined || comparePlaces(place, until) <= 0);
  const seen: GraphEvent[] = [];
  let isEnd = false;
  for (let reads = 0; reads < READS_MAX && !isEnd && seen.length <= first; reads += 1) {
    const read = await log.events({
      newestFirst,
      filter,
      ...(from === undefined ? {} : {from}),
      ...(end === undefined ? {} : {until: end.instant}),
    });
    for (const event of read.events) {
      const shown = isWithin(event) ? seenBy(event, context) : undefined;
      if (shown !== undefined && (account === undefined || shown.account === account)) seen.push(shown);
    }
    from = read.reached;
    isEnd = read.isEnd;
  }
  const edges = seen.slice(0, first);
  const hasMore = seen.length > first || !isEnd;
  const last = edges.at(-1)?.place ?? after;
  const reached = seen.length > first || isEnd ? last : from;
  return {
    edges,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0] === undefined ? null : formatPlace(edges[0].place),
      endCursor: reached === undefined ? null : formatPlace(reached),
    },
  };
}

/** So that the event itself is still among those before it. */
const justBehind = ({instant, ordinal}: EventPlace): EventPlace => ({instant, ordinal: ordinal + 1});

export const seenBy = (
  event: GraphEvent,
  {caller, branch, services}: FieldContext,
): GraphEvent | undefined => {
  const {defaultBranch} = services.store;
  const onlooker = {...caller, onDefaultBranch: branch === defaultBranch};
  return seenEvent(event, onlooker, each => each === defaultBranch);
};
