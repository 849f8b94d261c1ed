import {type GraphQLFieldConfigMap, GraphQLInt, GraphQLNonNull, GraphQLString} from 'graphql';
import type {EventLog} from '../../../ports/event-log.ts';
import type {FieldContext} from '../engine.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';
import {GenericScalar} from '../types/scalars.ts';
import {FILTER_ARGUMENTS} from './event-arguments.ts';
import {EventNotification} from './event-notification.ts';
import {eventQuery} from './event-query.ts';

export const INTERVAL_SECONDS = 10;

/** What a socket can subscribe to. */
const subscription: GraphQLFieldConfigMap<unknown, FieldContext> = {
  event: {
    type: new GraphQLNonNull(EventNotification),
    description: 'What happens from now on; what has happened since an event, when one is named.',
    args: {
      ...FILTER_ARGUMENTS,
      since: {type: GraphQLString, description: 'The id of the last event seen, or a time.'},
    },
  },
  query: {
    type: GenericScalar,
    description: 'The answer of a stored query, again and again.',
    args: {
      name: {type: GraphQLString, description: 'The name or the id of the stored query.'},
      params: {type: GenericScalar, description: 'Its variables.'},
      interval: {type: GraphQLInt, defaultValue: INTERVAL_SECONDS, description: 'Seconds between two runs.'},
    },
  },
};

/** Root fields about what happens. */
export function eventFields(log: EventLog): RootFieldsMaker {
  const query = eventQuery(log);
  return () => ({query, mutation: {}, subscription});
}
