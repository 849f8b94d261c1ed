import type {Json} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import type {Choices, Conflict, Side} from '../../domain/merge/conflict.ts';
import {makeConflict} from '../../domain/merge/conflict.ts';
import {conflictPath} from '../../domain/merge/conflict-path.ts';
import type {MergeConflict} from '../../domain/schema/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {MergeDraft, ThreeSchemas} from '../../ports/merge-store.ts';
import {mergedRecords} from '../schema/merge-schema.ts';
import {putRecords} from '../schema/put-schema.ts';

/**
 * Brings the two schemas together on the draft's branch. What nobody has decided is returned and nothing written,
 * unless `undecided` says whose word stands then.
 */
export async function mergeSchemas(
  draft: MergeDraft,
  schemas: ThreeSchemas,
  choices: Choices,
  undecided?: Side,
): Promise<readonly Conflict[]> {
  const conflicts = schemaConflicts(schemas, draft.at, choices);
  const sides = new Map(conflicts.map(({subject, choice}) => [conflictPath(subject), choice ?? undecided]));
  if ([...sides.values()].some(side => side === undefined)) return conflicts;
  const {records, problems} = mergedRecords(schemas.base, schemas.branch, schemas.origin, path =>
    sides.get(conflictPath({is: 'schema', path})) === 'origin' ? 'theirs' : 'ours',
  );
  if (problems.length > 0) {
    const sentences = problems.map(problem => `${problem.path}: ${problem.message}`);
    throw validationError(`The two schemas do not go together: ${sentences.slice(0, 20).join('; ')}`, {
      problems: sentences,
    });
  }
  await putRecords(draft, records);
  return conflicts;
}

/** What both sides changed in the schema, each in its own way. */
export function schemaConflicts(
  schemas: ThreeSchemas | undefined,
  at: Instant,
  choices: Choices,
): readonly Conflict[] {
  if (schemas === undefined) return [];
  const {conflicts} = mergedRecords(schemas.base, schemas.branch, schemas.origin);
  return conflicts.map(conflict => asConflict(conflict, at, choices));
}

function asConflict({path, base, ours, theirs}: MergeConflict, at: Instant, choices: Choices): Conflict {
  const side = (value: Json) => ({
    action: base === null ? ('added' as const) : value === null ? ('removed' as const) : ('updated' as const),
    value,
    changedAt: at,
  });
  return makeConflict({is: 'schema', path}, side(ours), side(theirs), choices);
}
