import type {IncomingMessage} from 'node:http';
import {STATUS_CODES} from 'node:http';
import type {Duplex} from 'node:stream';
import type {FastifyInstance} from 'fastify';
import {type WebSocket, WebSocketServer} from 'ws';
import {admit} from '../../app/access/identify.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {unavailable} from '../../domain/errors.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import {EventWriters} from '../graphql/subscription/event-stream.ts';
import {problemAnswer} from '../graphql/transport/problem-body.ts';
import {HttpProblem} from '../http/problem.ts';
import {requestIdOf} from '../http/request-id.ts';
import {readPointOf} from '../read-point.ts';
import {CLOSE} from './close-codes.ts';
import {GraphqlSocket, type Handshake, type SocketDeps} from './graphql-socket.ts';
import {GRAPHQL_WS, PROTOCOLS, type Protocol} from './protocol.ts';
import {headerCredential} from './socket-credential.ts';
import {Sockets} from './sockets.ts';

export interface GraphqlSocketsDeps extends Omit<SocketDeps, 'writers'> {
  readonly store: GraphStore;
}

/** Serves sockets beside the GraphQL endpoints of a server that is not listening yet. */
export function addGraphqlSockets(server: FastifyInstance, deps: GraphqlSocketsDeps): Sockets {
  const log = deps.log.named('socket');
  const parts: SocketDeps = {...deps, log, writers: new EventWriters()};
  const sockets = new Sockets(deps.feed, deps.access.clock, deps.limits);
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: deps.limits.messageBytesMax,
    handleProtocols: offered => protocolAmong(offered)?.name ?? false,
  });

  const take = async (request: IncomingMessage, carrier: Duplex, head: Buffer): Promise<void> => {
    const requestId = requestIdOf(request);
    try {
      if (sockets.isClosed) throw unavailable('The service is stopping.');
      const handshake = await shakeHands(parts, deps.store, request, requestId);
      upgrades.handleUpgrade(request, carrier, head, ws => {
        const protocol = protocolOf(ws, request);
        if (protocol === undefined) {
          ws.close(CLOSE.subprotocol, 'Subprotocol not acceptable');
          return;
        }
        sockets.opened(new GraphqlSocket(ws, carrier, protocol, handshake, parts, sockets));
      });
    } catch (error) {
      const {status, body, unexpected} = problemAnswer(error, requestId);
      if (unexpected) log.forRequest(requestId).error('a socket met an unexpected fault', {error});
      refuse(carrier, status, body);
    }
  };

  server.server.on('upgrade', (request, carrier, head) => {
    carrier.on('error', error => log.debug('a connection failed', {error: error.message}));
    void take(request, carrier, head);
  });
  server.addHook('preClose', async () => sockets.close());
  return sockets;
}

const PATH = /^\/graphql(?:\/(.*))?$/;

async function shakeHands(
  {access}: SocketDeps,
  store: GraphStore,
  request: IncomingMessage,
  requestId: string,
): Promise<Handshake> {
  const {headers} = request;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const match = PATH.exec(url.pathname);
  if (match === null) throw new HttpProblem(404, `The requested endpoint ${url.pathname} does not exist`);
  const inPath = decoded(match[1] ?? '');
  const named = url.searchParams.getAll('branch').at(-1);
  if (inPath && named && inPath !== named) {
    throw new HttpProblem(400, `The path names the branch ${inPath}, the parameter "branch" names ${named}`);
  }
  const credential = headerCredential(headers);
  if (credential !== undefined) await admit(access, credential);
  const {branch} = await readPointOf(store, {branch: (inPath || named) as BranchName});
  return {branch, headers, requestId, credential};
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpProblem(400, 'The path is not well encoded');
  }
}

const protocolAmong = (offered: Iterable<string>): Protocol | undefined =>
  [...offered]
    .map(name => PROTOCOLS.find(protocol => protocol.name === name))
    .find(each => each !== undefined);

/** Whoever names no protocol speaks that of the interface; whoever names only others is not understood. */
function protocolOf(ws: WebSocket, request: IncomingMessage): Protocol | undefined {
  if (request.headers['sec-websocket-protocol'] === undefined) return GRAPHQL_WS;
  return PROTOCOLS.find(protocol => protocol.name === ws.protocol);
}

function refuse(carrier: Duplex, status: number, body: object): void {
  const text = JSON.stringify(body);
  carrier.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
