import type {FastifyInstance} from 'fastify';
import {EventFeed} from '../app/event/event-feed.ts';
import type {Metrics} from '../ports/metrics.ts';
import type {Answerer} from '../wire/graphql/answerer.ts';
import {addGraphqlSockets} from '../wire/socket/graphql-sockets.ts';
import {SOCKET_LIMITS} from '../wire/socket/limits.ts';
import type {composeServices} from './services.ts';
import type {Settings} from './settings/read.ts';

/** Puts subscriptions on a server that is not listening yet. The answer ends the reading of the log. */
export function composeEvents(
  server: FastifyInstance,
  answerer: Answerer,
  services: ReturnType<typeof composeServices>,
  settings: Settings,
  metrics: Metrics,
): () => Promise<void> {
  const {store, events, access, origins, log} = services;
  const feed = new EventFeed(events, log.named('events'));
  const limits = {
    ...SOCKET_LIMITS,
    socketsPerAccountMax: settings.socketsPerAccountMax,
    operationsPerSocketMax: settings.subscriptionsPerSocketMax,
    messageBytesMax: settings.socketMessageBytesMax,
    keepAliveSeconds: settings.socketKeepAliveSeconds,
  };
  const sockets = addGraphqlSockets(server, {store, access, origins, log, answerer, feed, limits});
  metrics.sampled({
    is: 'gauge',
    name: 'sockets_open',
    help: 'Sockets that are open.',
    read: () => [{value: sockets.size}],
  });
  metrics.sampled({
    is: 'counter',
    name: 'events_read_total',
    help: 'Events read from the log for those who follow it.',
    read: () => [{value: feed.eventsRead}],
  });
  return () => feed.close();
}
