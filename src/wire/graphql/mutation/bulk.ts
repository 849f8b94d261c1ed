import type {Json} from '../../../base/json.ts';
import {ServiceError, validationError} from '../../../domain/errors.ts';

const ERRORS_SHOWN_MAX = 100;

/** Runs a verb for each row. All rows are tried, so that one answer names every row that is wrong. */
export async function eachRow<Row, Result>(
  rows: readonly Row[],
  verb: (row: Row) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const wrong: {index: number; error: ServiceError}[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      results.push(await verb(row));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      wrong.push({index, error});
    }
  }
  const [first] = wrong;
  if (first === undefined) return results;
  const shown = wrong
    .slice(0, ERRORS_SHOWN_MAX)
    .map(({index, error}): Json => ({index, code: error.code, message: error.message, data: error.facts}));
  throw new ServiceError(
    first.error.code,
    `${wrong.length} of ${rows.length} rows cannot be written, so none was. Row ${first.index}: ${first.error.message}`,
    {rows: shown, count: wrong.length},
  );
}

export function requireRows(rows: number, max: number): void {
  if (rows > max) throw validationError(`data has ${rows} rows; at most ${max} are allowed at once`);
}
