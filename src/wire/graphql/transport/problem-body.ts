import {ServiceError} from '../../../domain/errors.ts';
import type {ErrorAnswer} from '../../http/error-answer.ts';
import {errorAnswer} from '../../http/error-answer.ts';
import {FAULT} from '../../http/status.ts';

const MEDIA_TYPE_UNSUPPORTED = 415;

/** Errors of HTTP on the GraphQL endpoints, in the form of GraphQL. Missing credentials look the same everywhere. */
export function problemAnswer(error: unknown, requestId: string): ErrorAnswer {
  const answer = errorAnswer(error, requestId);
  if (answer.status === 401) return answer;
  if (error instanceof ServiceError && error.code === 'BRANCH_NOT_FOUND') {
    return {...answer, status: 404, body: body(error.message, error.code, 404)};
  }
  const status = answer.status === MEDIA_TYPE_UNSUPPORTED ? 400 : answer.status;
  const code = answer.unexpected ? FAULT.code : codeOf(error);
  return {...answer, status, body: body(messageOf(answer.body), code, status)};
}

const body = (message: string, code: string, status: number) => ({
  data: null,
  errors: [{message, extensions: {code, http_status: status}}],
});

const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : 'VALIDATION_ERROR');

const messageOf = (answered: object): string =>
  (answered as {readonly errors: readonly {readonly message: string}[]}).errors
    .map(({message}) => message)
    .join(', ');
