import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Conflict, Side} from '../../domain/merge/conflict.ts';
import {planMerge} from '../../domain/merge/plan-merge.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {MergeDraft, MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {WriteScope} from '../write.ts';
import {applyPlan} from './apply-plan.ts';
import {mergeRules} from './merge-rules.ts';
import {mergeSchemas} from './merge-schemas.ts';
import {settleResult} from './settle-result.ts';
import {uniqueClashes} from './unique-conflicts.ts';

/** What stands in the way of a merge or rebase; thrown inside the write, so that nothing of it lands. */
export class Conflicted extends Error {
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

export interface Together {
  readonly changes: number;
  readonly conflicts: readonly Conflict[];
}

/** Objects left out of the result because the other side's claim to a unique value was chosen. */
export interface Dropped {
  readonly ofBranch: ReadonlySet<NodeId>;
  readonly ofOrigin: ReadonlySet<NodeId>;
}

export const NOTHING_DROPPED: Dropped = {ofBranch: new Set(), ofOrigin: new Set()};

/**
 * Makes the target of the draft the result of both sides: schema first, then data, then the checks that only the
 * result can show. `winner` shows the side whose objects are brought back.
 */
export async function bringTogether(
  draft: MergeDraft,
  matter: MergeMatterOfBranch,
  target: Side,
  winner: Snapshot,
  dropped: Dropped,
  schemaOf: (draft: MergeDraft) => Schema,
  scopeOf: (schema: Schema) => WriteScope,
): Promise<Together> {
  const bySchema =
    matter.schema === undefined ? [] : await mergeSchemas(draft, matter.schema, matter.choices);
  if (bySchema.some(conflict => conflict.choice === undefined)) throw new Conflicted(bySchema);
  const schema = schemaOf(draft);
  const {branch, origin, choices} = matter;
  const plan = planMerge(
    {branch, origin, rules: mergeRules(schema), choices, without: dropped.ofBranch},
    target,
  );
  const conflicts = [...bySchema, ...plan.conflicts];
  if (conflicts.some(conflict => conflict.choice === undefined)) {
    throw new Conflicted([...conflicts, ...uniqueClashes(matter, draft.at)]);
  }
  for (const id of dropped.ofOrigin) if ((await draft.node(id)) !== undefined) await draft.delete(id);
  await applyPlan(draft, plan.writes, winner);
  await settleResult(scopeOf(schema), plan.writes);
  return {changes: plan.writes.length, conflicts};
}
