import {must} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {Conflict, Side} from '../../domain/merge/conflict.ts';
import type {Losers} from '../../domain/merge/plan-merge.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {MergeDraft, MergeMatterOfBranch} from '../../ports/merge-store.ts';
import {checkCounts} from '../node/check-ends.ts';
import {NodeWork} from '../node/node-work.ts';
import {settleFurther} from '../node/settle.ts';
import type {MergedSchema} from '../schema/merge-schema.ts';
import {fill, makeRoom, putRecords} from '../schema/put-schema.ts';
import {recompute} from '../schema/recompute.ts';
import type {Survey} from '../schema/survey/survey.ts';
import type {WriteScope} from '../write.ts';
import {applyPlan} from './apply-plan.ts';
import {type Claimed, claimOf} from './claim.ts';
import {dropLosers} from './drop-losers.ts';
import {convertedWrites, only, refuseHomeless, refuseStranded, surveySide} from './fit-data.ts';
import {gatherResult} from './gather-result.ts';
import {refuseProblems} from './merge-schemas.ts';
import {uniqueClashes} from './unique-conflicts.ts';
import type {SchemaOfSide, Weighed} from './weigh.ts';

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

/** Those on each side against whom the other side's claim to a unique value was chosen. */
export interface Dropped {
  readonly ofBranch: Losers;
  readonly ofOrigin: Losers;
}

export const NOTHING_DROPPED: Dropped = {ofBranch: new Map(), ofOrigin: new Map()};

export interface Sides {
  /** The branch that is merged or rebased. */
  readonly branch: BranchName;
  readonly draft: MergeDraft;
  readonly matter: MergeMatterOfBranch;
  readonly weighed: Weighed;
  /** What the plan claims, where that is known. */
  readonly claimed?: Claimed | undefined;
  readonly schemas: SchemaOfSide;
  /** The side that the draft writes: the origin for a merge, the branch for a rebase. */
  readonly target: Side;
  /** Shows the other side, from which objects are brought back. */
  readonly winner: Snapshot;
  /** Shows the target as it was before. */
  readonly before: Snapshot;
  /** Shows the origin as it was at the fork. */
  readonly base: Snapshot;
  readonly dropped: Dropped;
  readonly scopeOf: (schema: Schema) => WriteScope;
}

/**
 * Makes the target of the draft the result of both sides: schema first, then data, then the checks that only the
 * result can show.
 */
export async function bringTogether(sides: Sides): Promise<Together> {
  const {draft, matter, weighed, schemas, target, winner} = sides;
  const {decided, result, branch, conflicts} = weighed;
  if (decided !== undefined) {
    if (decided.merged === undefined) throw new Conflicted(decided.conflicts);
    refuseProblems(decided.merged.problems);
  }
  if (conflicts.some(conflict => conflict.choice === undefined)) {
    const clashes = await draft.clashes(sides.branch);
    throw new Conflicted([...conflicts, ...uniqueClashes(matter, clashes)]);
  }
  refuseHomeless(branch, result);
  await refuseStranded(target === 'origin' ? draft : winner, schemas.origin, result, branch);
  if (target === 'origin' || decided !== undefined || schemas.branch !== schemas.origin)
    return writeResult(sides);
  // All of a rebase is on the branch, which nobody else needs to write to meanwhile.
  let together: Together | undefined;
  const claim = () => ({branch: sides.branch, ...claimOf(branch, [], result)});
  await draft.ahead(claim, async () => {
    together = await writeResult(sides);
  });
  return must(together, 'what came of it');
}

async function writeResult(sides: Sides): Promise<Together> {
  const {draft, weighed, schemas, target, winner, before, base, dropped, scopeOf} = sides;
  const {decided, result, branch, plan, conflicts} = weighed;
  const scope = scopeOf(result);
  const shown = (side: Side) => (side === target ? before : winner);
  const fitted = await fitSchema(sides, scope, decided?.merged, schemas);
  const planned = convertedWrites(plan.writes, target === 'origin' ? fitted.ofBranch : fitted.ofOrigin);
  const writes = [...planned, ...(await dropLosers(shown('origin'), base, dropped.ofOrigin))];
  const work = new NodeWork(scope);
  const claim = () => ({branch: sides.branch, ...(sides.claimed ?? claimOf(branch, writes, result))});
  await draft.ahead(claim, async () => {
    const lost = await applyPlan(draft, writes, shown);
    await gatherResult(work, writes, lost);
    await checkCounts(work);
    if (target === 'origin') await draft.settle(sides.branch);
  });
  await settleFurther(work, 'lenient');
  for (const survey of [fitted.ofBranch, fitted.ofOrigin])
    if (survey !== undefined) await recompute(scope, survey);
  return {changes: writes.length, conflicts};
}

interface Fitted {
  readonly ofBranch: Survey | undefined;
  readonly ofOrigin: Survey | undefined;
}

/** Puts the schema that results, and brings the data of both sides in step with it. */
async function fitSchema(
  {draft, matter, target, winner}: Sides,
  {schema, onDefaultBranch}: WriteScope,
  merged: MergedSchema | undefined,
  schemas: SchemaOfSide,
): Promise<Fitted> {
  const [branchReads, originReads] = target === 'origin' ? [winner, draft] : [draft, winner];
  const changed = matter.branch.map(({id}) => id);
  const ofBranch = await surveySide(only(branchReads, changed), schemas.branch, schema, onDefaultBranch);
  const ofOrigin = await surveySide(originReads, schemas.origin, schema, onDefaultBranch);
  const own = target === 'origin' ? ofOrigin : ofBranch;
  if (own !== undefined) await makeRoom(draft, own);
  if (target === 'branch') await draft.rebase();
  if (merged !== undefined) await putRecords(draft, merged.records);
  if (own !== undefined) await fill(draft, own);
  if (target === 'branch' && ofOrigin !== undefined) {
    const isOwn = new Set(changed);
    await fill(draft, ofOrigin, id => !isOwn.has(id));
  }
  return {ofBranch, ofOrigin};
}
