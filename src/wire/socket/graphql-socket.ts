import type {IncomingHttpHeaders} from 'node:http';
import type {Duplex} from 'node:stream';
import {GraphQLError, OperationTypeNode} from 'graphql';
import type {RawData, WebSocket} from 'ws';
import type {AccessServices} from '../../app/access/access-services.ts';
import {type Admission, admit, type Credential} from '../../app/access/identify.ts';
import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {authenticationRequired, ServiceError} from '../../domain/errors.ts';
import type {Log} from '../../ports/log.ts';
import {errorJson, RequestRefused} from '../graphql/errors.ts';
import {openStream, type StreamDeps} from '../graphql/subscription/open-stream.ts';
import type {Stream} from '../graphql/subscription/stream.ts';
import type {Asked} from '../graphql/transport/graphql-request.ts';
import type {OwnOrigins} from '../http/credentials-origin.ts';
import {HttpProblem} from '../http/problem.ts';
import {CLOSE, closeReason} from './close-codes.ts';
import {framesOf} from './frames.ts';
import type {SocketLimits} from './limits.ts';
import {Outbox} from './outbox.ts';
import type {ClientMessage, Protocol} from './protocol.ts';
import {cookieCredential, payloadCredential} from './socket-credential.ts';

export interface SocketDeps extends StreamDeps {
  readonly access: AccessServices;
  readonly origins: OwnOrigins;
  readonly limits: SocketLimits;
  readonly log: Log;
}

/** What the handshake of a socket said. */
export interface Handshake {
  readonly branch: BranchName;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** Shown in headers, and good. */
  readonly credential: Credential | undefined;
}

/** Told when a socket finds out who it comes from; may turn it away. */
export interface SocketBook {
  admitted(socket: GraphqlSocket, admission: Admission): 'welcome' | 'too many';
  closed(socket: GraphqlSocket): void;
}

interface Operation {
  stream: Stream | undefined;
  isStopped: boolean;
}

const CLOSE_MILLIS_MAX = 10_000;

/** One socket: who it comes from, and the operations that run on it. */
export class GraphqlSocket {
  readonly #ws: WebSocket;
  readonly #outbox: Outbox;
  readonly #protocol: Protocol;
  readonly #handshake: Handshake;
  readonly #deps: SocketDeps;
  readonly #book: SocketBook;
  readonly #operations = new Map<string, Operation>();
  #credential: Credential | undefined;
  #admission: Admission | undefined;
  #initialising: Promise<void> | undefined;
  #isClosing = false;
  #isAnswering = true;
  #requests = 0;

  constructor(
    ws: WebSocket,
    carrier: Duplex,
    protocol: Protocol,
    handshake: Handshake,
    deps: SocketDeps,
    book: SocketBook,
  ) {
    this.#ws = ws;
    this.#outbox = new Outbox(ws, carrier, deps.limits.unsentBytesMax);
    this.#protocol = protocol;
    this.#handshake = handshake;
    this.#deps = deps;
    this.#book = book;
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('pong', () => {
      this.#isAnswering = true;
    });
    // The library closes a socket that breaks the rules of WebSocket, with the code that says which.
    ws.on('error', error => deps.log.debug('a socket failed', {error: error.message}));
    ws.on('close', () => this.#end());
  }

  get admission(): Admission | undefined {
    return this.#admission;
  }

  /** Closes with a reason that the client can read; cuts the connection when it does not listen. */
  close(code: number, reason: string, millisMax = CLOSE_MILLIS_MAX): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#stopAll();
    this.#ws.resume();
    this.#ws.close(code, closeReason(reason));
    const timer = setTimeout(() => this.#ws.terminate(), millisMax);
    this.#ws.once('close', () => clearTimeout(timer));
  }

  /** Refuses a socket that has not said in time who it comes from. */
  expectInit(): void {
    if (this.#admission === undefined) this.close(CLOSE.initTimeout, 'Connection initialisation timeout');
  }

  /** Looks again whether what was shown is still good, and what it allows. */
  async recheck(): Promise<void> {
    if (this.#credential === undefined || this.#admission === undefined || this.#isClosing) return;
    try {
      const before = this.#admission.caller;
      this.#admission = await admit(this.#deps.access, this.#credential);
      const {caller} = this.#admission;
      if (caller.access === before.access) return;
      for (const {stream} of this.#operations.values()) stream?.allow(caller);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** To be called every second: closes what has run out, and readers that take nothing. */
  sweep(nowMicros: number, nowMillis: number): void {
    const ends = this.#admission?.endsMicros;
    if (ends !== undefined && ends <= nowMicros) void this.recheck();
    if (this.#outbox.stuckMillis(nowMillis) >= this.#deps.limits.slowSeconds * 1000) {
      this.#deps.log.info('a socket was closed: its reader is too slow', {
        account: this.#admission?.caller.account ?? null,
      });
      this.close(CLOSE.tooSlow, 'Events come faster than they are read; go on with since');
    }
  }

  /** To be called from time to time: a client that does not answer is gone. */
  keepAlive(): void {
    if (this.#isClosing) return;
    if (!this.#isAnswering && !this.#ws.isPaused) {
      this.#ws.terminate();
      return;
    }
    this.#isAnswering = false;
    this.#ws.ping();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosing) return;
    const text = isBinary ? '' : String(data as Buffer);
    const message = this.#protocol.read(text);
    switch (message.is) {
      case 'init':
        this.#init(message.payload);
        return;
      case 'start':
        this.#start(message);
        return;
      case 'stop':
        this.#stop(message.id);
        return;
      case 'terminate':
        this.close(CLOSE.normal, 'Terminated');
        return;
      case 'ping':
        this.#send(this.#protocol.pong(message.payload));
        return;
      case 'bad':
        if (this.#protocol.badEndsSocket) this.close(CLOSE.badRequest, message.why);
        else this.#send(this.#protocol.error(message.id, [{message: message.why}]));
        return;
      default:
    }
  }

  #init(payload: Json): void {
    if (this.#initialising !== undefined) {
      if (this.#protocol.duplicateEndsSocket) {
        this.close(CLOSE.tooManyInits, 'Too many initialisation requests');
      } else {
        this.#send(this.#protocol.error(undefined, [{message: 'connection_init was sent before'}]));
      }
      return;
    }
    this.#initialising = this.#admit(payload).then(isIn => {
      if (isIn && !this.#isClosing) this.#send(this.#protocol.ack);
    });
  }

  async #admit(payload: Json): Promise<boolean> {
    const {credential, headers} = this.#handshake;
    try {
      this.#credential =
        credential ?? payloadCredential(payload) ?? cookieCredential(headers, this.#deps.origins);
      if (this.#credential === undefined) throw authenticationRequired();
      const admission = await admit(this.#deps.access, this.#credential);
      if (this.#isClosing) return false;
      if (this.#book.admitted(this, admission) === 'too many') {
        this.close(CLOSE.tryLater, 'This account has too many sockets open');
        return false;
      }
      this.#admission = admission;
      return true;
    } catch (error) {
      this.#refuse(error);
      return false;
    }
  }

  #refuse(error: unknown): void {
    const isKnown = error instanceof ServiceError || error instanceof HttpProblem;
    if (!isKnown) {
      this.#deps.log.error('a socket met an unexpected fault', {error});
      this.close(CLOSE.fault, 'An unexpected fault occurred');
      return;
    }
    const {message} = error;
    if (!this.#protocol.badEndsSocket) this.#send(this.#protocol.error(undefined, [{message}]));
    this.close(this.#protocol.badEndsSocket ? CLOSE.forbidden : CLOSE.unauthorized, message);
  }

  #start({id, asked}: Extract<ClientMessage, {is: 'start'}>): void {
    if (this.#admission === undefined && !this.#protocol.startsUninitialised) {
      this.close(CLOSE.unauthorized, 'Unauthorized');
      return;
    }
    if (this.#operations.has(id)) {
      if (this.#protocol.duplicateEndsSocket) {
        this.close(CLOSE.duplicate, `Subscriber for ${id} already exists`);
        return;
      }
      this.#cancel(id);
    }
    if (this.#operations.size >= this.#deps.limits.operationsPerSocketMax) {
      const message = `At most ${this.#deps.limits.operationsPerSocketMax} operations run on one socket at once`;
      this.#send(this.#protocol.error(id, [{message}]));
      return;
    }
    const operation: Operation = {stream: undefined, isStopped: false};
    this.#operations.set(id, operation);
    void this.#run(id, asked, operation).finally(() => {
      operation.stream?.close();
      if (this.#operations.get(id) === operation) this.#operations.delete(id);
    });
  }

  #stop(id: string): void {
    if (!this.#operations.has(id)) return;
    this.#cancel(id);
    if (this.#protocol.confirmsStop) this.#send(this.#protocol.complete(id));
  }

  #cancel(id: string): void {
    const operation = this.#operations.get(id);
    if (operation === undefined) return;
    operation.isStopped = true;
    operation.stream?.close();
    this.#operations.delete(id);
  }

  async #run(id: string, asked: Asked, operation: Operation): Promise<void> {
    this.#requests += 1;
    const requestId = `${this.#handshake.requestId}.${this.#requests}`;
    const sink = {log: this.#deps.log, requestId};
    try {
      this.#initialising ??= this.#admit(null).then(() => undefined);
      await this.#initialising;
      if (this.#credential === undefined || this.#admission === undefined || this.#isClosing) return;
      const {caller} = await admit(this.#deps.access, this.#credential);
      const request = {...asked, branch: this.#handshake.branch, at: undefined, caller, requestId};
      const {answerer} = this.#deps;
      if (answerer.operationType(request) === OperationTypeNode.SUBSCRIPTION) {
        const running = await answerer.prepare(request);
        operation.stream = await openStream(this.#deps, running, request, sink);
        await this.#pump(id, operation, operation.stream);
        return;
      }
      const answer = await answerer.answer(request);
      if (operation.isStopped) return;
      if (answer.isRefused) {
        this.#send(this.#protocol.error(id, answer.errors));
        return;
      }
      this.#send(this.#protocol.data(id, answer.text));
      this.#send(this.#protocol.complete(id));
    } catch (error) {
      if (operation.isStopped || this.#isClosing) return;
      if (error instanceof ServiceError && error.code === 'AUTHENTICATION_REQUIRED') {
        this.#refuse(error);
        return;
      }
      const errors = error instanceof RequestRefused ? error.errors : [faultOf(error)];
      const faces = errors.map(each => errorJson(each, sink));
      if (operation.stream === undefined) {
        this.#send(this.#protocol.error(id, faces));
        return;
      }
      this.#send(this.#protocol.data(id, JSON.stringify({errors: faces})));
      this.#send(this.#protocol.complete(id));
    }
  }

  /** Sends what a subscription yields, never more at once than the reader takes. */
  async #pump(id: string, operation: Operation, stream: Stream): Promise<void> {
    for (;;) {
      if (this.#outbox.isFull) await this.#outbox.room();
      if (operation.isStopped || this.#isClosing) return;
      const yielded = await stream.next();
      if (operation.isStopped || this.#isClosing) return;
      if (yielded === undefined) {
        this.#send(this.#protocol.complete(id));
        return;
      }
      for (const frames of framesOf(this.#protocol, id, yielded)) {
        if (this.#outbox.isFull) await this.#outbox.room();
        if (operation.isStopped || this.#isClosing) return;
        this.#outbox.sendFrames(frames);
      }
    }
  }

  #send(text: string): void {
    this.#outbox.send(text);
  }

  #stopAll(): void {
    for (const id of [...this.#operations.keys()]) this.#cancel(id);
    this.#outbox.release();
  }

  #end(): void {
    this.#isClosing = true;
    this.#stopAll();
    this.#book.closed(this);
  }
}

const faultOf = (error: unknown): GraphQLError => {
  const cause = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(cause.message, {originalError: cause});
};
