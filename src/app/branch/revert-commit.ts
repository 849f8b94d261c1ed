import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import {inverted} from '../../domain/diff/invert.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Conflict} from '../../domain/merge/conflict.ts';
import type {Losers, MergeMatter} from '../../domain/merge/plan-merge.ts';
import {planMerge} from '../../domain/merge/plan-merge.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {formatInstant} from '../../domain/time/instant.ts';
import type {Author, Snapshot} from '../../ports/graph-store.ts';
import type {MergeDraft, ThreeSchemas} from '../../ports/merge-store.ts';
import type {Caller} from '../caller.ts';
import {NodeWork} from '../node/node-work.ts';
import {settle} from '../node/settle.ts';
import {putRecords} from '../schema/put-schema.ts';
import type {Services} from '../services.ts';
import {applyPlan} from './apply-plan.ts';
import {createBranch} from './create-branch.ts';
import {gatherResult} from './gather-result.ts';
import {mergeRules} from './merge-rules.ts';
import {decideSchemas, refuseProblems} from './merge-schemas.ts';
import {claimsOf, uniqueConflict} from './unique-conflicts.ts';

export interface RevertCommit {
  /** The branch whose commit is taken back. */
  readonly branch: BranchName;
  readonly commit: Instant;
  /** The branch to make, on which the inverse stands. */
  readonly name: string;
  readonly message?: string;
}

export interface Reverted {
  readonly branch: Branch;
  /** What later commits changed again, and so stayed as it is. `branch` is the old value, `origin` the later one. */
  readonly conflicts: readonly Conflict[];
}

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids'>;

/** One more round for each object whose unique value somebody took meanwhile. */
const ROUNDS_MAX = 1000;

/**
 * Builds, as a new branch, the inverse of a commit: a three-way merge whose base is the state that the commit left, one
 * side the state before it and the other what stands now. What later commits changed again is left and reported.
 */
export async function revertCommit(deps: Deps, caller: Caller, request: RevertCommit): Promise<Reverted> {
  const {store} = deps;
  await requireCommit(deps, request);
  const branch = await createBranch(deps, caller, {
    name: request.name,
    origin: request.branch,
    description: `Reverts the commit of ${formatInstant(request.commit)} on ${request.branch}`,
    syncWithGit: false,
  });
  const author: Author = {account: caller.account, message: request.message ?? branch.description};
  try {
    // What stands now is what the new branch sees: later commits come to it by its merge, and meet it there.
    const matter = await matterOf(deps, request, branch.forkedAt);
    const conflicts = await write(deps, caller, branch, author, matter);
    return {branch: await store.branch(branch.name), conflicts};
  } catch (error) {
    await store.deleteBranch(branch.name, {account: caller.account});
    throw error;
  }
}

interface RevertMatter extends Pick<MergeMatter, 'branch' | 'origin'> {
  readonly before: Snapshot;
  readonly schema: ThreeSchemas | undefined;
}

async function requireCommit({store}: Deps, {branch, commit}: RevertCommit): Promise<void> {
  const just = (commit - 1) as Instant;
  const [found] = await store.commits({branch, after: just, until: commit, limit: 1, newestFirst: true});
  if (found === undefined) {
    throw validationError(`The branch ${branch} has no commit ${commit}; ServiceCommit lists those it has`, {
      branch,
      commit,
    });
  }
}

async function matterOf(
  {store}: Deps,
  {branch, commit}: RevertCommit,
  until: Instant,
): Promise<RevertMatter> {
  const just = (commit - 1) as Instant;
  const changes = (await store.diff({branch, from: just, to: commit})).map(inverted);
  const ids = new Set(changes.map(change => change.id));
  const later = (await store.diff({branch, from: commit, to: until})).filter(change => ids.has(change.id));
  const before = await store.snapshot({branch, at: just});
  const after = await store.snapshot({branch, at: commit});
  const head = await store.snapshot({branch, at: until});
  const schema =
    before.schemaKey === after.schemaKey
      ? undefined
      : {base: after.kinds(), branch: before.kinds(), origin: head.kinds()};
  return {branch: changes, origin: later, before, schema};
}

async function write(
  deps: Deps,
  caller: Caller,
  branch: Branch,
  author: Author,
  matter: RevertMatter,
): Promise<readonly Conflict[]> {
  const without = new Map<NodeId, readonly string[]>();
  const claimed: Conflict[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    try {
      const {value} = await deps.merges.combine(branch.name, author, draft =>
        attempt(deps, caller, draft, matter, without),
      );
      return [...claimed, ...value];
    } catch (error) {
      const claims = claimsOf(error);
      const found = claims.map(claim => uniqueConflict(claim, matter.branch, deps.store.now(), new Map()));
      const lost = found.flatMap(({subject}) =>
        subject.is === 'unique' && !without.has(subject.node) ? [subject] : [],
      );
      if (lost.length === 0) throw error;
      for (const {node, fields} of lost) without.set(node, fields);
      claimed.push(...found);
    }
  }
  throw validationError(`Too many objects of the commit have values that must be unique`);
}

async function attempt(
  deps: Deps,
  caller: Caller,
  draft: MergeDraft,
  {branch, origin, before, schema}: RevertMatter,
  without: Losers,
): Promise<readonly Conflict[]> {
  const choices = new Map();
  const decided = schema === undefined ? undefined : decideSchemas(schema, draft.at, choices, 'origin');
  if (decided?.merged !== undefined) {
    refuseProblems(decided.merged.problems);
    await putRecords(draft, decided.merged.records);
  }
  const result = deps.schemas.of(draft);
  const plan = planMerge({branch, origin, rules: mergeRules(result), choices, without}, 'origin');
  const lost = await applyPlan(draft, plan.writes, () => before);
  const scope = {draft, schema: result, caller, onDefaultBranch: false, ids: deps.ids};
  const work = new NodeWork(scope);
  await gatherResult(work, plan.writes, lost);
  await settle(work, 'lenient');
  return [...(decided?.conflicts ?? []), ...plan.conflicts];
}
