import {validationError} from '../../../domain/errors.ts';
import type {PageRequest} from '../../../domain/query/node-query.ts';
import {decodeCursor} from '../cursor.ts';

interface GivenPage {
  readonly offset?: number | null;
  readonly limit?: number | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** Undefined when no page was asked for: then everything is meant, up to the largest page. */
export function pageOf(given: GivenPage, rowsMax: number, orderTag: string): PageRequest | undefined {
  const {offset = null, limit = null, first = null, after = null} = given;
  const isByOffset = offset !== null || limit !== null;
  const isByCursor = first !== null || after !== null;
  if (isByOffset && isByCursor) {
    throw validationError('Use either first and after, or limit and offset, not both');
  }
  if (isByCursor) {
    return {
      limit: rows('first', first, rowsMax) ?? rowsMax,
      after: after === null ? null : decodeCursor(after, orderTag),
    };
  }
  if (!isByOffset) return undefined;
  return {
    limit: rows('limit', limit, rowsMax) ?? rowsMax,
    offset: rows('offset', offset, Number.MAX_SAFE_INTEGER) ?? 0,
  };
}

function rows(name: string, given: number | null, max: number): number | undefined {
  if (given === null) return undefined;
  if (given < 0) throw validationError(`${name} must not be negative, ${given} is`);
  if (given > max) throw validationError(`${name} must be at most ${max}, ${given} is more`);
  return given;
}
