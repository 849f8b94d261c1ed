import {ServiceError, unavailable} from '../../domain/errors.ts';

/** The data folder cannot be opened as it is; the message says why and what to do. */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
}

const PRIMARY_MASK = 0xff;
const GENERIC = 1;
const BUSY = 5;
const READ_ONLY = 8;
const IO = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** SQLite's primary result code; undefined for an error that is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & PRIMARY_MASK;
}

/** The file is not what it should be: a page overwritten, or no database at all. */
export const isDamaged = (error: unknown): boolean => {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE || (code === GENERIC && isMalformedDocument(error));
};

/** Documents are written whole, so one that is no JSON was changed on the disk. */
const isMalformedDocument = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('malformed JSON');

export const isFull = (error: unknown): boolean => sqliteCode(error) === FULL;

export const isBusy = (error: unknown): boolean => sqliteCode(error) === BUSY;

/** After such a failure nobody knows what reached the disk, so nothing more may be acknowledged. */
export const losesTrust = (error: unknown): boolean => sqliteCode(error) === IO || isDamaged(error);

/** What the caller is told when the engine fails; errors that are not the engine's pass as they are. */
export function asServiceError(error: unknown): Error {
  if (error instanceof ServiceError) return error;
  const sentence = isDamaged(error)
    ? 'The database is damaged; restore it from a backup.'
    : sentenceFor(sqliteCode(error));
  if (sentence !== undefined) return unavailable(sentence, {cause: error});
  return error instanceof Error ? error : new Error(String(error));
}

function sentenceFor(code: number | undefined): string | undefined {
  switch (code) {
    case FULL:
      return 'The disk of the data folder is full; nothing was written. Free some space and try again.';
    case READ_ONLY:
      return 'The database can only be read; check the rights of the data folder.';
    case IO:
      return 'The disk of the data folder failed; nothing more is written until the service is restarted.';
    case BUSY:
      return 'The database is held by another process.';
    default:
      return undefined;
  }
}

/** Why a database file could not be opened, for whoever starts the service. */
export function openRefused(path: string, error: unknown): Error {
  const code = sqliteCode(error);
  if (isDamaged(error)) {
    return new StoreRefused(
      `${path} is damaged or not a database of this service; restore it from a backup.`,
      {
        cause: error,
      },
    );
  }
  if (code === FULL || code === IO) {
    return new StoreRefused(`${path} cannot be written: the disk is full or failing.`, {cause: error});
  }
  if (code === READ_ONLY || code === CANNOT_OPEN) {
    return new StoreRefused(
      `${path} cannot be opened for writing; check that the data folder is there and may be written to.`,
      {
        cause: error,
      },
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
