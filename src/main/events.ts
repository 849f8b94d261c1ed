import type {FastifyInstance} from 'fastify';
import {EventFeed} from '../app/event/event-feed.ts';
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
): () => Promise<void> {
  const {store, access, origins, log} = services;
  const feed = new EventFeed(store.events, log.named('events'));
  const limits = {
    ...SOCKET_LIMITS,
    socketsPerAccountMax: settings.socketsPerAccountMax,
    operationsPerSocketMax: settings.subscriptionsPerSocketMax,
    messageBytesMax: settings.socketMessageBytesMax,
    keepAliveSeconds: settings.socketKeepAliveSeconds,
  };
  addGraphqlSockets(server, {store, access, origins, log, answerer, feed, limits});
  return () => feed.close();
}
