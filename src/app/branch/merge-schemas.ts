import {type Json, sameJson} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import type {Choices, Conflict, Side} from '../../domain/merge/conflict.ts';
import {makeConflict} from '../../domain/merge/conflict.ts';
import {conflictPath} from '../../domain/merge/conflict-path.ts';
import type {MergeConflict} from '../../domain/schema/merge/conflict.ts';
import type {SchemaProblem} from '../../domain/schema/problem.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import type {ThreeSchemas} from '../../ports/merge-store.ts';
import {type MergedSchema, mergedRecords} from '../schema/merge-schema.ts';

export interface DecidedSchemas {
  readonly conflicts: readonly Conflict[];
  /** Absent while a conflict is undecided. */
  readonly merged: MergedSchema | undefined;
}

/** Brings two schemas together. `undecided` says whose word stands where nobody has chosen. */
export function decideSchemas(
  schemas: ThreeSchemas,
  at: Instant,
  choices: Choices,
  undecided?: Side,
): DecidedSchemas {
  const untouched = mergedRecords(schemas.base, schemas.branch, schemas.origin);
  const conflicts = untouched.conflicts.map(conflict => asConflict(conflict, at, choices));
  if (conflicts.length === 0) return {conflicts, merged: untouched};
  const sides = new Map(conflicts.map(({subject, choice}) => [conflictPath(subject), choice ?? undecided]));
  if ([...sides.values()].some(side => side === undefined)) return {conflicts, merged: undefined};
  const merged = mergedRecords(schemas.base, schemas.branch, schemas.origin, path =>
    sides.get(conflictPath({is: 'schema', path})) === 'origin' ? 'theirs' : 'ours',
  );
  return {conflicts, merged};
}

/** Each side was right alone; together they may not be. */
export function refuseProblems(problems: readonly SchemaProblem[]): void {
  if (problems.length === 0) return;
  const sentences = problems.map(problem => `${problem.path}: ${problem.message}`);
  throw validationError(`The two schemas do not go together: ${sentences.slice(0, 20).join('; ')}`, {
    problems: sentences,
  });
}

/** The schema that results; where one side has it already, that side's own. */
export function resultOf(
  schemas: ThreeSchemas | undefined,
  merged: MergedSchema | undefined,
  branch: Schema,
  origin: Schema,
): Schema {
  if (schemas === undefined || merged === undefined) return origin;
  if (isMadeOf(schemas.branch, merged)) return branch;
  return isMadeOf(schemas.origin, merged) ? origin : merged.schema;
}

const isMadeOf = (records: readonly KindRecord[], {records: merged}: MergedSchema): boolean =>
  records.length === merged.size &&
  records.every(record => sameJson(record as never, merged.get(record.shape.id) as never));

/** Something that both sides changed in the schema, each in its own way. */
function asConflict({path, base, ours, theirs}: MergeConflict, at: Instant, choices: Choices): Conflict {
  const side = (value: Json) => ({
    action: base === null ? ('added' as const) : value === null ? ('removed' as const) : ('updated' as const),
    value,
    changedAt: at,
  });
  return makeConflict({is: 'schema', path}, side(ours), side(theirs), choices);
}
