import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import type {DeclaredKind} from '../../domain/diff/diff-kinds.ts';
import {diffKinds} from '../../domain/diff/diff-kinds.ts';
import type {DiffNode} from '../../domain/diff/diff-node.ts';
import {diffNodes} from '../../domain/diff/diff-tree.ts';
import {kindOf, relationshipOf} from '../../domain/schema/lookup.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {changesAndConflicts} from './branch-conflicts.ts';
import {seenBy} from './seen-by.ts';

export interface DiffBranch {
  readonly branch: BranchName;
  /** Absent: since the branch left its origin. */
  readonly from?: Instant;
  /** Absent: now. */
  readonly to?: Instant;
}

export interface BranchDiff {
  readonly branch: Branch;
  readonly base: BranchName;
  readonly from: Instant;
  readonly to: Instant;
  /** Changed objects and kinds, by kind and id. */
  readonly nodes: readonly DiffNode[];
  readonly before: Snapshot;
  readonly after: Snapshot;
}

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'>;

/**
 * What a branch did since its fork, or between two of its instants, as far as the caller may see it. Worked out from
 * the change log at the moment of asking. Conflicts are told of the whole life of the branch up to now.
 */
export async function diffBranch(deps: Deps, caller: Caller, request: DiffBranch): Promise<BranchDiff> {
  const {store} = deps;
  const branch = await store.branch(request.branch);
  const base = branch.origin ?? branch.name;
  const isLive = request.from === undefined && request.to === undefined;
  const told = isLive
    ? await changesAndConflicts(deps, branch.name)
    : {changes: await store.diff(request), conflicts: []};
  const before = await store.snapshot(
    request.from === undefined
      ? {branch: base, at: branch.forkedAt}
      : {branch: branch.name, at: request.from},
  );
  const after = await store.snapshot(
    request.to === undefined ? {branch: branch.name} : {branch: branch.name, at: request.to},
  );
  const seen = await seenBy(deps, caller, branch, {before, after}, told);
  const schema = deps.schemas.of(after);
  const objects = diffNodes(seen.changes, seen.conflicts, (kindName, name) => {
    const kind = kindOf(schema, kindName) ?? kindOf(deps.schemas.of(before), kindName);
    return kind === undefined ? undefined : relationshipOf(kind, name);
  });
  const kinds =
    before.schemaKey === after.schemaKey
      ? []
      : diffKinds(declared(before), declared(after), seen.conflicts, after.at);
  // The head of the branch would tell of commits that the caller may not see.
  const to = request.to ?? store.now();
  return {branch, base, from: before.at, to, nodes: [...kinds, ...objects], before, after};
}

const declared = (snapshot: Snapshot): readonly DeclaredKind[] =>
  snapshot.kinds().map(({shape, definition}) => ({id: shape.id, definition}));
