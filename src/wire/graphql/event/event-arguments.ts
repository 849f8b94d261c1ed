import {GraphQLBoolean, type GraphQLFieldConfigArgumentMap, GraphQLList, GraphQLString} from 'graphql';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {validationError} from '../../../domain/errors.ts';
import type {EventFilter} from '../../../domain/event/event-filter.ts';
import {type EventPlace, parsePlace, placeAfter} from '../../../domain/event/event-place.ts';
import {EVENT_TYPES, type EventType, eventTypeOf} from '../../../domain/event/event-type.ts';
import {implementations} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {type Instant, parseAt} from '../../../domain/time/instant.ts';
import type {GraphStore} from '../../../ports/graph-store.ts';

const texts = new GraphQLList(GraphQLString);

/** The arguments that the subscription and the query share. */
export const FILTER_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  event_types: {type: texts, description: 'Such as service.node.updated; the prefix may be left out.'},
  kinds: {type: texts, description: 'Kinds and generics of the objects.'},
  ids: {type: texts, description: 'Ids of the objects.'},
  branch_only: {
    type: GraphQLBoolean,
    defaultValue: true,
    description:
      'Only what happens on this branch, to data that all branches share, and to branches as such.',
  },
};

export interface FilterArguments {
  readonly event_types?: readonly (string | null)[] | null;
  readonly kinds?: readonly (string | null)[] | null;
  readonly ids?: readonly (string | null)[] | null;
  readonly branch_only?: boolean | null;
}

const VALUES_MAX = 1_000;

export function filterOf(given: FilterArguments, schema: Schema, branch: BranchName): EventFilter {
  const types = setOf('event_types', given.event_types, requireType);
  const kinds = setOf('kinds', given.kinds, kind => kind);
  const ids = setOf('ids', given.ids, id => id.toLowerCase());
  return {
    ...(given.branch_only === false ? {} : {branch}),
    ...(types === undefined ? {} : {types}),
    ...(kinds === undefined ? {} : {kinds: new Set([...kinds].flatMap(kind => membersOf(schema, kind)))}),
    ...(ids === undefined ? {} : {ids}),
  };
}

/** A kind that the schema does not know now may have had objects once. */
const membersOf = (schema: Schema, kind: string): readonly string[] => [
  kind,
  ...implementations(schema, kind),
];

function setOf<T>(
  name: string,
  given: readonly (string | null)[] | null | undefined,
  read: (text: string) => T,
): ReadonlySet<T> | undefined {
  if (given === null || given === undefined) return undefined;
  if (given.length > VALUES_MAX) throw validationError(`${name} takes at most ${VALUES_MAX} values`);
  return new Set(given.filter(text => text !== null).map(read));
}

function requireType(text: string): EventType {
  const type = eventTypeOf(text);
  if (type !== undefined) return type;
  throw validationError(
    `"${text.slice(0, 80)}" is not a type of event; there are: ${EVENT_TYPES.join(', ')}`,
  );
}

/** Nothing has happened before the service existed; asking for it is no mistake. */
const BEGINNING = 0 as Instant;

/** A place in the log, named by the id of an event or by a time. Refuses what lies ahead. */
export function placeOf(store: Pick<GraphStore, 'now'>, argument: string, text: string): EventPlace {
  const place = parsePlace(text);
  if (place === undefined) return placeAfter(parseAt(text, store.now(), BEGINNING) ?? store.now());
  if (place.instant > store.now()) throw notAnEvent(argument, text);
  return place;
}

/** As `placeOf`, where only the id of an event will do. */
export function cursorOf(argument: string, text: string): EventPlace {
  const place = parsePlace(text);
  if (place === undefined) throw notAnEvent(argument, text);
  return place;
}

const notAnEvent = (argument: string, text: string) =>
  validationError(`"${text.slice(0, 80)}" in "${argument}" is not the id of an event of this service`);
