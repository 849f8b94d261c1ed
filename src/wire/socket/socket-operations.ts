import {GraphQLError, OperationTypeNode} from 'graphql';
import type {Caller} from '../../app/caller.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Log} from '../../ports/log.ts';
import {errorJson, RequestRefused} from '../graphql/errors.ts';
import {openStream, type StreamDeps} from '../graphql/subscription/open-stream.ts';
import type {Stream} from '../graphql/subscription/stream.ts';
import type {Asked} from '../graphql/transport/graphql-request.ts';
import {framesOf} from './frames.ts';
import type {Outbox} from './outbox.ts';
import type {Protocol} from './protocol.ts';

interface Operation {
  stream: Stream | undefined;
  isStopped: boolean;
}

export interface OperationsDeps extends StreamDeps {
  readonly log: Log;
  readonly protocol: Protocol;
  readonly outbox: Outbox;
  readonly branch: BranchName;
  readonly requestId: string;
  /** Who asks, as of now; undefined when they are turned away. */
  readonly caller: () => Promise<Caller | undefined>;
  /** What was shown is no longer good. */
  readonly onRefused: (error: ServiceError) => void;
}

/** What runs on one socket: subscriptions until they end, everything else once. */
export class SocketOperations {
  readonly #deps: OperationsDeps;
  readonly #running = new Map<string, Operation>();
  #started = 0;

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#running.size;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  start(id: string, asked: Asked): void {
    const operation: Operation = {stream: undefined, isStopped: false};
    this.#running.set(id, operation);
    void this.#run(id, asked, operation).finally(() => {
      operation.stream?.close();
      if (this.#running.get(id) === operation) this.#running.delete(id);
    });
  }

  stop(id: string): void {
    const operation = this.#running.get(id);
    if (operation === undefined) return;
    operation.isStopped = true;
    operation.stream?.close();
    this.#running.delete(id);
  }

  stopAll(): void {
    for (const id of [...this.#running.keys()]) this.stop(id);
  }

  /** What may be seen has changed. */
  allow(caller: Caller): void {
    for (const {stream} of this.#running.values()) stream?.allow(caller);
  }

  async #run(id: string, asked: Asked, operation: Operation): Promise<void> {
    const {answerer, protocol, outbox, branch, log} = this.#deps;
    this.#started += 1;
    const requestId = `${this.#deps.requestId}.${this.#started}`;
    const sink = {log, requestId};
    try {
      const caller = await this.#deps.caller();
      if (caller === undefined || operation.isStopped) return;
      const request = {...asked, branch, at: undefined, caller, requestId};
      if (answerer.operationType(request) === OperationTypeNode.SUBSCRIPTION) {
        const running = await answerer.prepare(request);
        operation.stream = await openStream(this.#deps, running, request, sink);
        await this.#pump(id, operation, operation.stream);
        return;
      }
      const answer = await answerer.answer(request);
      if (operation.isStopped) return;
      if (answer.isRefused) {
        outbox.send(protocol.error(id, answer.errors));
        return;
      }
      outbox.send(protocol.data(id, answer.text));
      outbox.send(protocol.complete(id));
    } catch (error) {
      if (operation.isStopped) return;
      if (error instanceof ServiceError && error.code === 'AUTHENTICATION_REQUIRED') {
        this.#deps.onRefused(error);
        return;
      }
      const errors = error instanceof RequestRefused ? error.errors : [faultOf(error)];
      const faces = errors.map(each => errorJson(each, sink));
      if (operation.stream === undefined) {
        outbox.send(protocol.error(id, faces));
        return;
      }
      outbox.send(protocol.data(id, JSON.stringify({errors: faces})));
      outbox.send(protocol.complete(id));
    }
  }

  /** Sends what a subscription yields, never more at once than the reader takes. */
  async #pump(id: string, operation: Operation, stream: Stream): Promise<void> {
    const {protocol, outbox} = this.#deps;
    for (;;) {
      if (outbox.isFull) await outbox.room();
      if (operation.isStopped) return;
      const yielded = await stream.next();
      if (operation.isStopped) return;
      if (yielded === undefined) {
        outbox.send(protocol.complete(id));
        return;
      }
      for (const frames of framesOf(protocol, id, yielded)) {
        if (outbox.isFull) await outbox.room();
        if (operation.isStopped) return;
        outbox.sendFrames(frames);
      }
    }
  }
}

const faultOf = (error: unknown): GraphQLError => {
  const cause = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(cause.message, {originalError: cause});
};
