import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import {GraphLayout, layoutKind} from './layout.ts';
import type {Level, Lineage} from './lineage.ts';
import type {Names} from './names.ts';
import type {Row, Work} from './statement.ts';
import {read} from './statement.ts';

/** The instants at which each branch's own schema changed, oldest first. */
export class SchemaInstants {
  readonly #byBranch = new Map<number, number[]>();

  static *load(): Work<SchemaInstants> {
    const instants = new SchemaInstants();
    const rows = yield read(
      `SELECT branch, ts FROM commits WHERE kinds > 0
       UNION SELECT branch, since FROM branch_base WHERE kinds > 0 ORDER BY 2`,
      [],
    );
    for (const [branch, instant] of rows) instants.add(branch as number, instant as number);
    return instants;
  }

  add(branch: number, instant: number): void {
    const list = this.#byBranch.get(branch);
    if (list === undefined) this.#byBranch.set(branch, [instant]);
    else if (list.at(-1) !== instant) list.push(instant);
  }

  last(branch: number, until: Instant): number | undefined {
    return this.#byBranch.get(branch)?.findLast(instant => instant <= until);
  }

  /**
   * Names the schema of a lineage. A level that never changed the schema adds nothing, so branches without schema
   * changes share their origin's, and all that is cached for it.
   */
  keyOf(levels: readonly Level[]): string {
    const parts: string[] = [];
    for (const {branch, until} of levels) {
      const last = this.last(branch, until);
      if (last !== undefined) parts.push(`${branch}.${last}`);
    }
    return parts.join('/');
  }
}

/** The kinds that a lineage shows: the nearest level's word on each. */
export function* loadRecords(levels: readonly Level[]): Work<Map<string, KindRecord>> {
  const seen = new Set<string>();
  const records = new Map<string, KindRecord>();
  for (const {branch, until} of levels) {
    const rows: readonly Row[] = yield read(
      'SELECT kind, del, doc FROM kind_ver WHERE branch = ?1 AND t > ?2 AND f <= ?2',
      [branch, until],
    );
    for (const [kind, del, text] of rows) {
      if (seen.has(kind as string)) continue;
      seen.add(kind as string);
      if (del === 0) records.set(kind as string, JSON.parse(text as string) as KindRecord);
    }
  }
  return records;
}

export function* loadLayout(lineage: Lineage, key: string, names: Names): Work<GraphLayout> {
  const records = yield* loadRecords(lineage.branch);
  for (const record of records.values()) {
    if (names.knows(record.shape)) continue;
    yield* names.reload();
    break;
  }
  return new GraphLayout(
    key,
    Array.from(records.values(), record => layoutKind(record, names)),
  );
}
