import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import {planMerge} from '../../domain/merge/plan-merge.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {Services} from '../services.ts';
import type {CombineOutcome} from './merge-branch.ts';
import {mergeOutcome} from './merge-branch.ts';
import {mergeRules} from './merge-rules.ts';
import {schemaConflicts} from './merge-schemas.ts';

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'>;

/** What stands between a branch and its origin, chosen or not; nothing is written for it. */
export async function branchConflicts(deps: Deps, branch: BranchName): Promise<readonly Conflict[]> {
  const {origin} = await deps.store.branch(branch);
  if (origin === undefined) return [];
  const matter = await deps.merges.matter(branch);
  const here = await deps.store.snapshot({branch});
  const bySchema = schemaConflicts(matter.schema, here.at, matter.choices);
  const rules = mergeRules(deps.schemas.of(here));
  const plan = planMerge({...matter, rules, without: new Set()}, 'origin');
  const conflicts = [...bySchema, ...plan.conflicts];
  if (conflicts.some(conflict => conflict.choice === undefined)) return conflicts;
  return (await mayClash(deps, branch, here, matter)) ? conflictsOf(await tried(deps, branch)) : conflicts;
}

const tried = (deps: Deps, branch: BranchName): Promise<CombineOutcome> =>
  mergeOutcome(deps, {branch, isDryRun: true});

const conflictsOf = (outcome: CombineOutcome): readonly Conflict[] =>
  outcome.is === 'up-to-date' ? [] : outcome.conflicts;

/** Two objects can claim one unique value only when both sides moved, and the branch something that is unique. */
async function mayClash(
  deps: Deps,
  branch: BranchName,
  here: Snapshot,
  matter: MergeMatterOfBranch,
): Promise<boolean> {
  if (matter.branch.every(change => !movesUnique(here, change))) return false;
  return (await deps.merges.distance(branch)).behind > 0;
}

function movesUnique(here: Snapshot, change: NodeChange): boolean {
  if (change.action === 'removed') return false;
  const parts = here.kind(change.kind)?.unique.flatMap(unique => unique.parts) ?? [];
  return parts.some(part =>
    part.is === 'attribute'
      ? change.attributes.some(({name}) => name === part.name)
      : change.edges.some(({relationship}) => relationship === part.name),
  );
}
