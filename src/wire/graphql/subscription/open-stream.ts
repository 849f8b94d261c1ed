import {getArgumentValues, locatedError} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import type {EventFeed} from '../../../app/event/event-feed.ts';
import {must} from '../../../base/assert.ts';
import type {Answerer} from '../answerer.ts';
import type {GraphqlRequest} from '../engine.ts';
import {type ErrorSink, RequestRefused} from '../errors.ts';
import {type FilterArguments, filterOf, placeOf} from '../event/event-arguments.ts';
import {rootFields} from '../plan/query-plan.ts';
import type {Running} from '../running.ts';
import {EventStream, type EventWriters} from './event-stream.ts';
import {openStoredQuery, type StoredQueryArguments} from './stored-query-stream.ts';
import type {Stream} from './stream.ts';

/** What subscriptions are served with. */
export interface StreamDeps {
  readonly answerer: Answerer;
  readonly feed: EventFeed;
  readonly writers: EventWriters;
}

/** Begins a subscription that is ready to run. Refuses what it asks for wrongly. */
export async function openStream(
  deps: StreamDeps,
  running: Running,
  request: GraphqlRequest,
  sink: ErrorSink,
): Promise<Stream> {
  const {operation, reading, context} = running;
  const type = must(running.face.graphql.getSubscriptionType(), 'the type of subscriptions');
  const [root] = rootFields(reading, type, operation);
  if (root === undefined)
    throw new RequestRefused([locatedError(new Error('Nothing is asked for'), operation)]);
  try {
    const args = getArgumentValues(root.field, root.nodes[0]!, {...reading.variables});
    if (root.field.name === 'query') {
      return await openStoredQuery(
        deps.answerer,
        context,
        root.key,
        args as StoredQueryArguments,
        request.requestId,
      );
    }
    const {since, ...given} = args as FilterArguments & {readonly since?: string | null};
    const filter = filterOf(given, context.schema, context.branch);
    const place = since ? placeOf(context.services.store, 'since', since) : undefined;
    const writerFor = (caller: Caller) =>
      deps.writers.of({...running, context: {...context, caller}}, filter, request.query, sink);
    return new EventStream(await deps.feed.follow(place), writerFor, context);
  } catch (error) {
    throw new RequestRefused([locatedError(error, root.nodes, [root.key])]);
  }
}
