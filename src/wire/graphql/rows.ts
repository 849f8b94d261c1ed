import {validationError} from '../../domain/errors.ts';
import type {Page} from '../../ports/graph-store.ts';
import type {GraphqlLimits} from './limits.ts';

const tooMany = (what: string, max: number) =>
  validationError(
    `${what} has more than ${max} rows; ask for a page with limit and offset, or first and after`,
  );

/** A list for which no page was asked must be whole. */
export function requireWhole(what: string, page: Page, isPaged: boolean, {pageRowsMax}: GraphqlLimits): void {
  if (!isPaged && (page.hasMore || page.found.length > pageRowsMax)) throw tooMany(what, pageRowsMax);
}

/** Refuses an answer with too many rows on all levels together. */
export function requireBounded(page: Page, {rowsMax, pageRowsMax}: GraphqlLimits): void {
  let rows = 0;
  const count = (level: Page) => {
    rows += level.found.length;
    if (rows > rowsMax)
      throw validationError(`The answer has more than ${rowsMax} rows; ask for smaller pages`);
    for (const {included} of level.found) {
      for (const below of included) {
        if (below.found.length > pageRowsMax) throw tooMany('A list of related objects', pageRowsMax);
        if (below.found.length > 0) count(below);
      }
    }
  };
  count(page);
}
