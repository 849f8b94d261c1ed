import {OperationTypeNode} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import {isJsonObject} from '../../../base/json.ts';
import {nodeNotFound, validationError} from '../../../domain/errors.ts';
import {isNodeId} from '../../../domain/graph/node-id.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import type {Answerer} from '../answerer.ts';
import type {FieldContext, GraphqlRequest} from '../engine.ts';
import {INTERVAL_SECONDS} from '../event/event-fields.ts';
import {type Stream, type Yield, yieldOf} from './stream.ts';

export interface StoredQueryArguments {
  readonly name?: string | null;
  readonly params?: unknown;
  readonly interval?: number | null;
}

const KIND = 'CoreGraphQLQuery';
const INTERVAL_SECONDS_MAX = 86_400;

/** The answer of a stored query again and again, under a key of the subscriber's. It ends with the first failure. */
export class StoredQueryStream implements Stream {
  readonly #answerer: Answerer;
  readonly #request: Omit<GraphqlRequest, 'caller'>;
  readonly #key: string;
  readonly #intervalMillis: number;
  #caller: Caller;
  #hasRun = false;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(
    answerer: Answerer,
    request: Omit<GraphqlRequest, 'caller'>,
    {
      caller,
      key,
      intervalSeconds,
    }: {readonly caller: Caller; readonly key: string; readonly intervalSeconds: number},
  ) {
    this.#answerer = answerer;
    this.#request = request;
    this.#key = key;
    this.#intervalMillis = intervalSeconds * 1000;
    this.#caller = caller;
  }

  async next(): Promise<Yield | undefined> {
    if (this.#hasRun) await this.#pause();
    if (this.#isOver) return undefined;
    this.#hasRun = true;
    const answer = await this.#answerer.answer({...this.#request, caller: this.#caller});
    const {data = null, errors} = JSON.parse(answer.text) as {data?: unknown; errors?: unknown};
    this.#isOver ||= errors !== undefined;
    return yieldOf([JSON.stringify({data: {[this.#key]: data}, ...(errors === undefined ? {} : {errors})})]);
  }

  allow(caller: Caller): void {
    this.#caller = caller;
  }

  close(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async #pause(): Promise<void> {
    if (this.#isOver) return;
    const {promise, resolve} = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#intervalMillis);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}

export async function openStoredQuery(
  answerer: Answerer,
  context: FieldContext,
  key: string,
  {name, params, interval}: StoredQueryArguments,
  requestId: string,
): Promise<StoredQueryStream> {
  const intervalSeconds = interval ?? INTERVAL_SECONDS;
  if (intervalSeconds < 1 || intervalSeconds > INTERVAL_SECONDS_MAX) {
    throw validationError(`interval must be from 1 to ${INTERVAL_SECONDS_MAX} seconds`);
  }
  const variables = params ?? {};
  if (!isJsonObject(variables)) throw validationError('params must be an object: the variables of the query');
  const query = await storedQuery(context, name ?? '');
  const request = {
    branch: context.branch,
    at: undefined,
    query,
    variables,
    operationName: undefined,
    requestId,
  };
  if (answerer.operationType(request) !== OperationTypeNode.QUERY) {
    throw validationError(`The stored query ${name} does not only read`);
  }
  return new StoredQueryStream(answerer, request, {caller: context.caller, key, intervalSeconds});
}

async function storedQuery({snapshot, view}: FieldContext, name: string): Promise<string> {
  const byName: Condition = {
    is: 'attribute',
    attribute: 'name',
    property: 'value',
    test: {op: 'in', values: [name]},
  };
  const conditions: Condition[] = isNodeId(name) ? [{is: 'id', in: [name]}, byName] : [byName];
  for (const where of view.shows(KIND) ? conditions : []) {
    const {found} = await snapshot.query({kind: KIND, where, page: {limit: 1, offset: 0}});
    const text = found[0]?.node.value('query');
    if (typeof text === 'string') return text;
  }
  throw nodeNotFound(KIND, name);
}
