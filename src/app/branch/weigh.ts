import {Slices} from '../../base/slices.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import type {Conflict, Side} from '../../domain/merge/conflict.ts';
import type {MergePlan} from '../../domain/merge/merge-plan.ts';
import {type Losers, planMergeSteps} from '../../domain/merge/plan-merge.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {mergeRules} from './merge-rules.ts';
import {type DecidedSchemas, decideSchemas, resultOf} from './merge-schemas.ts';
import {renamedChanges} from './rename-changes.ts';

/** The schemas of the two sides. */
export type SchemaOfSide = Readonly<Record<Side, Schema>>;

export interface Weighed {
  /** Absent when the branch did not change its schema. */
  readonly decided: DecidedSchemas | undefined;
  /** The schema that results; while schemas are in conflict, the branch's. */
  readonly result: Schema;
  /** What the branch changed, by the names of the result. */
  readonly branch: readonly NodeChange[];
  readonly plan: MergePlan;
  /** Of schema and data; unique values that both sides claim are found apart. */
  readonly conflicts: readonly Conflict[];
}

/** Weighs what two sides did, so that `target` can become the result; others have their turns while it is much. */
export async function weigh(
  matter: MergeMatterOfBranch,
  schemas: SchemaOfSide,
  target: Side,
  without: Losers,
): Promise<Weighed> {
  const {schema, choices} = matter;
  const decided = schema === undefined ? undefined : decideSchemas(schema, matter.at, choices);
  const isOpen = decided !== undefined && decided.merged === undefined;
  const result = isOpen ? schemas.branch : resultOf(schema, decided?.merged, schemas.branch, schemas.origin);
  const branch = renamedChanges(matter.branch, schemas.branch, result);
  const origin = renamedChanges(matter.origin, schemas.origin, result);
  const plan = await inSlices(
    planMergeSteps({branch, origin, rules: mergeRules(result), choices, without}, target),
  );
  return {decided, result, branch, plan, conflicts: [...(decided?.conflicts ?? []), ...plan.conflicts]};
}

async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  const slices = new Slices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.isOver) await slices.next();
  }
}
