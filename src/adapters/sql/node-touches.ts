import type {NodeId} from '../../domain/graph/node-id.ts';
import {FOREVER, type Instant} from '../../domain/time/instant.ts';
import type {Lineage} from './lineage.ts';
import type {Work} from './statement.ts';
import {Parameters, read} from './statement.ts';

/** A commit as the rows of one object remember it. */
export interface StoredTouch {
  readonly branch: number;
  readonly instant: Instant;
}

/** When versions and edges of an object began and ended on the stretches that the lineage sees, newest first. */
export function* touchesOf(
  lineage: Lineage,
  id: NodeId,
  limit: number,
  before: Instant | undefined,
): Work<readonly StoredTouch[]> {
  const parameters = new Parameters();
  const node = `(SELECT id FROM node WHERE uuid = ${parameters.bind(id)})`;
  const end = parameters.bind(before ?? FOREVER);
  const arms = lineage.any.flatMap(level => {
    const branch = parameters.bind(level.branch);
    const until = parameters.bind(level.until);
    const arm = (table: string, key: string, instant: string) =>
      `SELECT branch, ${instant} AS instant FROM ${table}
       WHERE ${key} = ${node} AND branch = ${branch} AND ${instant} <= ${until} AND ${instant} < ${end}`;
    return [
      arm('ver', 'node', 'f'),
      arm('ver', 'node', 't'),
      arm('edge', 'src', 'f'),
      arm('edgeh', 'src', 'f'),
      arm('edgeh', 'src', 't'),
    ];
  });
  const rows = yield read(
    `${arms.join(' UNION ')} ORDER BY 2 DESC LIMIT ${parameters.bind(limit)}`,
    parameters.values,
  );
  return rows.map(row => ({branch: row[0] as number, instant: row[1] as Instant}));
}
