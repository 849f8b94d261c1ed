import {ServiceError} from '../../domain/errors.ts';
import {flawText, HttpProblem, RequestInvalid, SeveralProblems} from './problem.ts';
import {STATUS} from './status.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly body: object;
  /** Our fault, not the caller's: it belongs in the log with its stack. */
  readonly unexpected: boolean;
}

/** What a caller sees of an error. Only errors that are meant for callers keep their message. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof RequestInvalid) {
    const messages = error.flaws.map(flawText);
    return expected(422, {...envelope(422, messages), detail: error.flaws});
  }
  if (error instanceof ServiceError) return serviceErrorAnswer(error);
  if (error instanceof SeveralProblems) {
    const {status, problems} = error;
    const errors = problems.map(({message, path, locations}) => ({
      message,
      ...(path === undefined ? {} : {path}),
      ...(locations === undefined ? {} : {locations}),
      extensions: {code: status},
    }));
    return expected(status, {data: null, errors});
  }
  const status = statusOf(error);
  if (status !== undefined && (status < 500 || error instanceof HttpProblem)) {
    return expected(status, envelope(status, [(error as Error).message]));
  }
  const message = `An unexpected fault occurred; the log has more under request id ${requestId}`;
  return {status: 500, body: envelope(500, [message], {request_id: requestId}), unexpected: true};
}

function serviceErrorAnswer(error: ServiceError): ErrorAnswer {
  const status = STATUS[error.code];
  if (status === 401) return expected(401, {errors: [error.message]});
  if (error.code !== 'VALIDATION_ERROR') return expected(status, envelope(status, [error.message]));
  const loc = Array.isArray(error.facts.loc) ? error.facts.loc : [];
  const detail = [{loc, msg: error.message, type: 'value_error'}];
  return expected(status, {...envelope(status, [error.message]), detail});
}

function envelope(code: number, messages: readonly string[], more: object = {}): object {
  return {data: null, errors: messages.map(message => ({message, extensions: {code, ...more}}))};
}

const expected = (status: number, body: object): ErrorAnswer => ({status, body, unexpected: false});

/** The framework's own errors (body too large, media type, bad URL) say their status. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpProblem) return error.status;
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined;
  const {code, statusCode} = error;
  return String(code).startsWith('FST_') && typeof statusCode === 'number' ? statusCode : undefined;
}
