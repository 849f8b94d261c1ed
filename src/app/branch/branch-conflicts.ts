import type {BranchName} from '../../domain/branch/branch.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import type {MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {Services} from '../services.ts';
import type {Told} from './seen-by.ts';
import {uniqueClashes} from './unique-conflicts.ts';
import {weigh} from './weigh.ts';

type Deps = Pick<Services, 'store' | 'merges' | 'schemas'>;

/** What stands between a branch and its origin, chosen or not. Nothing is written for it, and nobody waits. */
export async function branchConflicts(deps: Deps, branch: BranchName): Promise<readonly Conflict[]> {
  const matter = await contestedMatter(deps, branch);
  return matter === undefined ? [] : conflictsIn(deps, branch, matter);
}

/** What a branch did since its fork, and what stands between it and its origin; both are in what a merge would weigh. */
export async function changesAndConflicts(deps: Deps, branch: BranchName): Promise<Told> {
  const matter = await contestedMatter(deps, branch);
  return matter === undefined
    ? {changes: await deps.store.diff({branch}), conflicts: []}
    : {changes: matter.branch, conflicts: await conflictsIn(deps, branch, matter)};
}

/** Undefined where the origin has not moved, so that there can be no conflict. */
async function contestedMatter(
  {store, merges}: Deps,
  branch: BranchName,
): Promise<MergeMatterOfBranch | undefined> {
  const {origin} = await store.branch(branch);
  if (origin === undefined) return undefined;
  // The default branch moves by commits alone; another also when it is rebased.
  if (origin === store.defaultBranch && (await merges.distance(branch)).behind === 0) return undefined;
  return merges.matter(branch);
}

async function conflictsIn(
  {store, merges, schemas}: Deps,
  name: BranchName,
  matter: MergeMatterOfBranch,
): Promise<readonly Conflict[]> {
  const {origin = name} = await store.branch(name);
  const sides = {
    branch: schemas.of(await store.snapshot({branch: name})),
    origin: schemas.of(await store.snapshot({branch: origin})),
  };
  const {conflicts} = await weigh(matter, sides, 'origin', new Map());
  return [...conflicts, ...uniqueClashes(matter, await merges.clashes(name))];
}
