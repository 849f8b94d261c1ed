import type {BranchName} from '../../domain/branch/branch.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import {planMerge} from '../../domain/merge/plan-merge.ts';
import type {Services} from '../services.ts';
import {mergeRules} from './merge-rules.ts';
import {decideSchemas, resultOf} from './merge-schemas.ts';
import {renamedChanges} from './rename-changes.ts';
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
  const ours = deps.schemas.of(here);
  const theirs = deps.schemas.of(await store.snapshot({branch: origin}));
  const decided = matter.schema && decideSchemas(matter.schema, here.at, matter.choices);
  const result =
    decided !== undefined && decided.merged === undefined
      ? ours
      : resultOf(matter.schema, decided?.merged, ours, theirs);
  const changes = {
    branch: renamedChanges(matter.branch, ours, result),
    origin: renamedChanges(matter.origin, theirs, result),
  };
  const {choices} = matter;
  return [
    ...(decided?.conflicts ?? []),
    ...planMerge({...changes, rules: mergeRules(result), choices, without: new Set()}, 'origin').conflicts,
    ...uniqueClashes(matter, here.at),
  ];
}
