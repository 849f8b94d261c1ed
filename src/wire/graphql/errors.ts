import {GraphQLError} from 'graphql';
import type {Json} from '../../base/json.ts';
import {ServiceError, validationError} from '../../domain/errors.ts';
import type {Log} from '../../ports/log.ts';
import {FAULT, STATUS} from '../http/status.ts';

export interface ErrorJson {
  readonly message: string;
  readonly locations?: readonly {readonly line: number; readonly column: number}[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {readonly code: string; readonly http_status: number; readonly data?: Json};
}

/** How errors of one request become what its caller sees; what is our fault goes to the log. */
export interface ErrorSink {
  readonly log: Log;
  readonly requestId: string;
}

export function errorJson(error: GraphQLError, sink: ErrorSink): ErrorJson {
  const {message, extensions} = faceOf(error, sink);
  return {
    message,
    ...(error.locations === undefined
      ? {}
      : {locations: error.locations.map(({line, column}) => ({line, column}))}),
    ...(error.path === undefined ? {} : {path: error.path}),
    extensions,
  };
}

function faceOf(error: GraphQLError, {log, requestId}: ErrorSink): Pick<ErrorJson, 'message' | 'extensions'> {
  const cause = rootCause(error);
  const coded = cause instanceof ServiceError ? cause : undefined;
  if (coded !== undefined) {
    const data = Object.keys(coded.facts).length === 0 ? {} : {data: coded.facts};
    return {
      message: coded.message,
      extensions: {code: coded.code, http_status: STATUS[coded.code], ...data},
    };
  }
  if (cause instanceof GraphQLError) {
    return {message: error.message, extensions: {code: 'VALIDATION_ERROR', http_status: 422}};
  }
  log.forRequest(requestId).error('a GraphQL field met an unexpected fault', {error: cause});
  return {
    message: `An unexpected fault occurred; the log has more under request id ${requestId}`,
    extensions: {code: FAULT.code, http_status: FAULT.status},
  };
}

/** GraphQL wraps what resolvers throw, sometimes more than once. */
function rootCause(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError;
  return cause;
}

/** A request that cannot be run at all: `data` is null. */
export class RequestRefused extends Error {
  override name = 'RequestRefused';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

export const refuse = (message: string): RequestRefused =>
  new RequestRefused([new GraphQLError(message, {originalError: validationError(message)})]);
