import type {MergeConflict, Side} from '../../domain/schema/merge/conflict.ts';
import {mergeSources} from '../../domain/schema/merge/merge-sources.ts';
import type {SchemaProblem} from '../../domain/schema/problem.ts';
import {processSchema} from '../../domain/schema/process/process-schema.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import {recordsOf, sourceOf} from './schema-records.ts';

export interface MergedSchema {
  /** What to store, by the id of the kind; records that are not among them go. */
  readonly records: ReadonlyMap<string, KindRecord>;
  readonly schema: Schema;
  readonly conflicts: readonly MergeConflict[];
  /** What is wrong with the result although each side was right: with any of these it may not be used. */
  readonly problems: readonly SchemaProblem[];
}

/** What two branches made of one schema, as one. `choose` settles a conflict, named by its path. */
export function mergedRecords(
  base: readonly KindRecord[],
  ours: readonly KindRecord[],
  theirs: readonly KindRecord[],
  choose?: (path: string) => Side,
): MergedSchema {
  const {source, conflicts} = mergeSources(sourceOf(base), sourceOf(ours), sourceOf(theirs), choose);
  const {schema, problems} = processSchema(source);
  return {records: recordsOf(source, schema), schema, conflicts, problems};
}
