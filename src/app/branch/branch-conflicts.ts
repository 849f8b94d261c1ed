import type {BranchName} from '../../domain/branch/branch.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import {planMerge} from '../../domain/merge/plan-merge.ts';
import type {Services} from '../services.ts';
import {mergeRules} from './merge-rules.ts';
import {schemaConflicts} from './merge-schemas.ts';
import {uniqueClashes} from './unique-conflicts.ts';

type Deps = Pick<Services, 'store' | 'merges' | 'schemas'>;

/** What stands between a branch and its origin, chosen or not. Nothing is written for it, and nobody waits. */
export async function branchConflicts(deps: Deps, branch: BranchName): Promise<readonly Conflict[]> {
  const {store, merges} = deps;
  const {origin} = await store.branch(branch);
  if (origin === undefined) return [];
  // The default branch moves by commits alone; another also when it is rebased.
  if (origin === store.defaultBranch && (await merges.distance(branch)).behind === 0) return [];
  const matter = await merges.matter(branch);
  const here = await store.snapshot({branch});
  const rules = mergeRules(deps.schemas.of(here));
  return [
    ...schemaConflicts(matter.schema, here.at, matter.choices),
    ...planMerge({...matter, rules, without: new Set()}, 'origin').conflicts,
    ...uniqueClashes(matter, here.at),
  ];
}
