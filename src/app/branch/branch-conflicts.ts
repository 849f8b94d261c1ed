import type {BranchName} from '../../domain/branch/branch.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import type {Services} from '../services.ts';
import {uniqueClashes} from './unique-conflicts.ts';
import {weigh} from './weigh.ts';

type Deps = Pick<Services, 'store' | 'merges' | 'schemas'>;

/** What stands between a branch and its origin, chosen or not. Nothing is written for it, and nobody waits. */
export async function branchConflicts(deps: Deps, branch: BranchName): Promise<readonly Conflict[]> {
  const {store, merges, schemas} = deps;
  const {origin} = await store.branch(branch);
  if (origin === undefined) return [];
  // The default branch moves by commits alone; another also when it is rebased.
  if (origin === store.defaultBranch && (await merges.distance(branch)).behind === 0) return [];
  const matter = await merges.matter(branch);
  const sides = {
    branch: schemas.of(await store.snapshot({branch})),
    origin: schemas.of(await store.snapshot({branch: origin})),
  };
  const {conflicts} = weigh(matter, sides, 'origin', new Map());
  return [...conflicts, ...uniqueClashes(matter, await merges.clashes(branch))];
}
