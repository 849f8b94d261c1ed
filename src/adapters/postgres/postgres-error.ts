import {ServiceError, unavailable, validationError} from '../../domain/errors.ts';

/** The database cannot be used as it is; the message says why and what to do. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** What the server says when it goes away or is not ready yet, and what the network says of it. */
const GONE =
  /^(?:08\w{3}|57P0[123]|53300|25P03|25006|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const GONE_WORDS = /Connection terminated|not queryable|timeout expired|connection is closed/;

/** The connection is of no use any more, or never came about; nothing is known of what was under way on it. */
export const isConnectionLost = (error: unknown): boolean =>
  GONE.test(codeOf(error) ?? '') || (error instanceof Error && GONE_WORDS.test(error.message));

const TRY_AGAIN: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

/** The engine has given up a transaction that may well succeed when it is tried again. */
export const isPassing = (error: unknown): boolean => TRY_AGAIN.has(codeOf(error) ?? '');

/** The value of which there may be only one row, when the engine refuses another. */
export function doubleOf(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined;
  const detail = error instanceof Error && 'detail' in error ? String(error.detail) : '';
  return /\)=\((.*)\)/s.exec(detail)?.[1] ?? '';
}

/** What the caller is told when the engine fails; errors that are not the engine's pass as they are. */
export function asServiceError(error: unknown): Error {
  if (error instanceof ServiceError) return error;
  if (isConnectionLost(error)) {
    return unavailable('The database cannot be reached; nothing was written. Try again in a moment.', {
      cause: error,
    });
  }
  if (isPassing(error)) {
    return unavailable('The database is busy; nothing was written. Try again in a moment.', {cause: error});
  }
  switch (codeOf(error)) {
    case '53100':
      return unavailable('The disk of the database is full; nothing was written.', {cause: error});
    case '57014':
      return unavailable('The question took too long and was given up; ask for less at once.', {
        cause: error,
      });
    case '54000':
      return validationError(
        'The values by which an object is found and ordered are too long together for PostgreSQL to index.',
      );
    case '22021':
    case '22P05':
      return validationError('A text holds a character that PostgreSQL cannot keep: U+0000.');
    case 'XX001':
    case 'XX002':
      return unavailable('The database is damaged; restore it from a backup.', {cause: error});
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}

/** The commit was sent and no answer came: nobody may be told yet whether it is there. */
export const outcomeUnknown = (cause: unknown): Error =>
  unavailable(
    'The database went away while it was writing, and whether the write is there is not known yet. Look before you try again.',
    {cause},
  );
