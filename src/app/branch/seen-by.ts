import {viewOf} from '../../domain/access/view.ts';
import type {Branch} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {seenChanges} from '../../domain/diff/seen-changes.ts';
import {type BothSides, seenConflicts} from '../../domain/diff/seen-conflicts.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {sightOf} from './sight.ts';

type Deps = Pick<Services, 'store' | 'schemas'>;

export interface Told {
  readonly changes: readonly NodeChange[];
  readonly conflicts: readonly Conflict[];
}

const NO_SIDES: BothSides = {branch: [], origin: []};

/** What a caller may see of changes and conflicts of a branch, down to attributes and peers. */
export async function seenBy(
  {store, schemas}: Deps,
  caller: Caller,
  branch: Branch,
  states: {readonly before: Snapshot; readonly after: Snapshot},
  {changes, conflicts}: Told,
): Promise<Told> {
  const isWhole = [states.before, states.after].every(
    state => viewOf(caller.access, schemas.of(state), branch.isDefault).isWhole,
  );
  if (isWhole) return {changes, conflicts};
  const origin = await store.snapshot({branch: branch.origin ?? branch.name});
  const sides = conflicts.length === 0 ? NO_SIDES : await store.threeWay(branch.name);
  const all = [...changes, ...sides.branch, ...sides.origin];
  const sight = await sightOf(caller, branch, {...states, origin}, all, conflicts);
  return {changes: seenChanges(changes, sight), conflicts: seenConflicts(conflicts, sides, sight)};
}

/** Conflicts that stand in the way, as far as the caller may see them. */
export async function conflictsSeenBy(
  deps: Deps,
  caller: Caller,
  branch: Branch,
  conflicts: readonly Conflict[],
): Promise<readonly Conflict[]> {
  const {store} = deps;
  const before = await store.snapshot({branch: branch.origin ?? branch.name, at: branch.forkedAt});
  const after = await store.snapshot({branch: branch.name});
  return (await seenBy(deps, caller, branch, {before, after}, {changes: [], conflicts})).conflicts;
}
