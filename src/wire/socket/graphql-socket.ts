import type {IncomingHttpHeaders} from 'node:http';
import type {Duplex} from 'node:stream';
import type {RawData, WebSocket} from 'ws';
import type {Admission, Credential} from '../../app/access/identify.ts';
import type {Caller} from '../../app/caller.ts';
import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Log} from '../../ports/log.ts';
import type {StreamDeps} from '../graphql/subscription/open-stream.ts';
import {HttpProblem} from '../http/problem.ts';
import {CLOSE, closeReason} from './close-codes.ts';
import type {SocketLimits} from './limits.ts';
import {Outbox} from './outbox.ts';
import type {ClientMessage, Protocol} from './protocol.ts';
import {type CallerDeps, SocketCaller} from './socket-caller.ts';
import {SocketOperations} from './socket-operations.ts';

export interface SocketDeps extends StreamDeps, CallerDeps {
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

const CLOSE_MILLIS_MAX = 10_000;

/** One socket: who it comes from, and the operations that run on it. */
export class GraphqlSocket {
  readonly #ws: WebSocket;
  readonly #outbox: Outbox;
  readonly #protocol: Protocol;
  readonly #deps: SocketDeps;
  readonly #book: SocketBook;
  readonly #operations: SocketOperations;
  readonly #caller: SocketCaller;
  #isAdmitted = false;
  #initialising: Promise<void> | undefined;
  #isClosing = false;
  #isAnswering = true;

  constructor(
    ws: WebSocket,
    carrier: Duplex,
    protocol: Protocol,
    handshake: Handshake,
    deps: SocketDeps,
    book: SocketBook,
  ) {
    this.#ws = ws;
    const outbox = new Outbox(ws, carrier, deps.limits.unsentBytesMax);
    this.#outbox = outbox;
    this.#protocol = protocol;
    this.#caller = new SocketCaller(deps, handshake.headers, handshake.credential);
    const {branch, requestId} = handshake;
    const caller = () => this.#callerNow();
    const onRefused = (error: unknown) => this.#refuse(error);
    this.#operations = new SocketOperations({
      ...deps,
      protocol,
      outbox,
      branch,
      requestId,
      caller,
      onRefused,
    });
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
    return this.#caller.admission;
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
    if (!this.#isAdmitted) this.close(CLOSE.initTimeout, 'Connection initialisation timeout');
  }

  /** Looks again whether what was shown is still good, and what it allows. */
  async recheck(): Promise<void> {
    const before = this.admission?.caller;
    if (!this.#isAdmitted || this.#isClosing) return;
    try {
      const {caller} = await this.#caller.again();
      if (caller.access === before?.access) return;
      this.#operations.allow(caller);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** To be called every second: closes what has run out, and readers that take nothing. */
  sweep(nowMicros: number, nowMillis: number): void {
    const ends = this.admission?.endsMicros;
    if (ends !== undefined && ends <= nowMicros) void this.recheck();
    if (this.#outbox.stuckMillis(nowMillis) >= this.#deps.limits.slowSeconds * 1000) {
      this.#deps.log.info('a socket was closed: its reader is too slow', {
        account: this.admission?.caller.account ?? null,
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
    try {
      const admission = await this.#caller.show(payload);
      if (this.#isClosing) return false;
      if (this.#book.admitted(this, admission) === 'too many') {
        this.close(CLOSE.tryLater, 'This account has too many sockets open');
        return false;
      }
      this.#isAdmitted = true;
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
    if (!this.#isAdmitted && !this.#protocol.startsUninitialised) {
      this.close(CLOSE.unauthorized, 'Unauthorized');
      return;
    }
    if (this.#operations.has(id)) {
      if (this.#protocol.duplicateEndsSocket) {
        this.close(CLOSE.duplicate, `Subscriber for ${id} already exists`);
        return;
      }
      this.#operations.stop(id);
    }
    const {operationsPerSocketMax} = this.#deps.limits;
    if (this.#operations.size >= operationsPerSocketMax) {
      const message = `At most ${operationsPerSocketMax} operations run on one socket at once`;
      this.#send(this.#protocol.error(id, [{message}]));
      return;
    }
    this.#operations.start(id, asked);
  }

  #stop(id: string): void {
    if (!this.#operations.has(id)) return;
    this.#operations.stop(id);
    if (this.#protocol.confirmsStop) this.#send(this.#protocol.complete(id));
  }

  /** Whoever shows something in the handshake may begin without an init, where the protocol allows it. */
  async #callerNow(): Promise<Caller | undefined> {
    this.#initialising ??= this.#admit(null).then(() => undefined);
    await this.#initialising;
    if (!this.#isAdmitted || this.#isClosing) return undefined;
    return (await this.#caller.again()).caller;
  }

  #send(text: string): void {
    this.#outbox.send(text);
  }

  #stopAll(): void {
    this.#operations.stopAll();
    this.#outbox.release();
  }

  #end(): void {
    this.#isClosing = true;
    this.#stopAll();
    this.#book.closed(this);
  }
}
