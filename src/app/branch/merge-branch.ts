import {must} from '../../base/assert.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {Conflict, Side} from '../../domain/merge/conflict.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Author, Draft} from '../../ports/graph-store.ts';
import type {MergeDraft, MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {Caller} from '../caller.ts';
import {authorize} from '../caller.ts';
import type {Services} from '../services.ts';
import {readerOf, type WriteScope} from '../write.ts';
import type {Dropped, Together} from './bring-together.ts';
import {bringTogether, Conflicted, NOTHING_DROPPED} from './bring-together.ts';
import {type Claimed, claimOf} from './claim.ts';
import {claimsOf, uniqueConflict} from './unique-conflicts.ts';
import type {SchemaOfSide, Weighed} from './weigh.ts';
import {weigh} from './weigh.ts';

export interface CombineRequest {
  readonly branch: BranchName;
  readonly isDryRun?: boolean;
  readonly message?: string;
  /** Done in the same commit as the last step, with how many objects it changed; not when there is nothing to do. */
  readonly alongside?: (draft: Draft, changes: number) => Promise<void>;
}

export type CombineOutcome =
  | {
      readonly is: 'done';
      readonly commit: Instant | undefined;
      readonly changes: number;
      readonly conflicts: readonly Conflict[];
    }
  | {readonly is: 'conflicted'; readonly conflicts: readonly Conflict[]}
  | {readonly is: 'up-to-date'};

type Deps = Pick<Services, 'store' | 'merges' | 'schemas' | 'ids' | 'analyseQuery'>;

/** One more round for each object that a choice drops; more than this is no honest merge. */
const ROUNDS_MAX = 1000;
const TOUCHES_PREPARED_MIN = 500;

/** Brings what a branch did into its origin as one commit; the branch goes on from there. */
export async function mergeBranch(
  deps: Deps,
  caller: Caller,
  request: CombineRequest,
): Promise<CombineOutcome> {
  const origin = await authorizeMerge(deps, caller, request.branch);
  return combine(deps, caller, request, origin, 'origin');
}

/** Refuses a merge to those who may not make it; answers the branch that it goes into. */
export async function authorizeMerge(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  branch: BranchName,
): Promise<BranchName> {
  authorize(caller, {is: 'global', action: 'merge_branch'});
  const origin = await originOf(deps, branch);
  if (origin === deps.store.defaultBranch) authorize(caller, {is: 'global', action: 'edit_default_branch'});
  return origin;
}

/** What a merge would answer; asked by anybody, since nothing changes. */
export async function mergeOutcome(
  deps: Deps,
  request: CombineRequest & {readonly isDryRun: true},
): Promise<CombineOutcome> {
  const origin = await originOf(deps, request.branch);
  return combine(deps, {account: null, access: FULL_ACCESS}, request, origin, 'origin');
}

/** The branch that a branch is merged into. */
export async function originOf({store}: Pick<Deps, 'store'>, branch: BranchName): Promise<BranchName> {
  const {origin} = await store.branch(branch);
  if (origin === undefined) throw validationError(`The default branch ${branch} has no origin to merge into`);
  return origin;
}

/** Moves a branch onto its origin as it is now, as one commit on the branch. */
export async function rebaseBranch(
  deps: Deps,
  caller: Caller,
  request: CombineRequest,
): Promise<CombineOutcome> {
  const {origin} = await deps.store.branch(request.branch);
  if (origin === undefined)
    throw validationError(`The default branch ${request.branch} has no origin to rebase on`);
  return combine(deps, caller, request, request.branch, 'branch');
}

class DryRun extends Error {
  readonly together: Together;
  constructor(together: Together) {
    super('dry run');
    this.together = together;
  }
}

/**
 * Two objects that claim one unique value show only when the result is written, so the write is tried, and tried
 * again without the objects that choices drop, until nothing stands in the way or something undecided does.
 */
async function combine(
  deps: Deps,
  caller: Caller,
  request: CombineRequest,
  target: BranchName,
  side: Side,
): Promise<CombineOutcome> {
  const author: Author = {
    account: caller.account,
    message: request.message ?? (side === 'origin' ? `Merge ${request.branch}` : `Rebase ${request.branch}`),
  };
  const prepared = await prepare(deps, request.branch, side);
  let dropped = NOTHING_DROPPED;
  const decided: Conflict[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    try {
      const {value, commit} = await deps.merges.combine(
        target,
        author,
        draft => attempt(deps, caller, draft, request, side, dropped, prepared),
        changesInSteps(request, prepared),
      );
      if (value === undefined) return {is: 'up-to-date'};
      return {is: 'done', commit, changes: value.changes, conflicts: [...decided, ...value.conflicts]};
    } catch (error) {
      if (error instanceof DryRun) {
        return {
          is: 'done',
          commit: undefined,
          changes: error.together.changes,
          conflicts: [...decided, ...error.together.conflicts],
        };
      }
      if (error instanceof Conflicted)
        return {is: 'conflicted', conflicts: once([...decided, ...error.conflicts])};
      const found = await claimConflicts(deps, request.branch, error);
      decided.push(...found);
      if (found.some(conflict => conflict.choice === undefined))
        return {is: 'conflicted', conflicts: decided};
      dropped = withoutLosers(dropped, found);
    }
  }
  throw validationError(`The branch ${request.branch} has too many objects with values that must be unique`);
}

/** How many changes are brought together that others need not wait for; a rehearsal leaves nothing to go on from. */
const changesInSteps = ({isDryRun}: CombineRequest, prepared: Prepared | undefined): number | undefined =>
  isDryRun === true ? undefined : prepared?.matter.branch.length;

/** What is weighed before it is anybody's turn to write. */
interface Prepared {
  readonly matter: MergeMatterOfBranch;
  readonly schemas: SchemaOfSide;
  readonly weighed: Weighed;
  readonly claimed: Claimed;
}

/**
 * Writers go on while the work of a large branch is weighed; when it is the merge's turn, only what moved meanwhile is
 * looked at again. A small one is weighed in its turn, sooner than it could be handed over.
 */
async function prepare(
  {store, merges, schemas: processed}: Deps,
  branch: BranchName,
  side: Side,
): Promise<Prepared | undefined> {
  if ((await merges.distance(branch)).touches < TOUCHES_PREPARED_MIN) return undefined;
  const matter = await merges.matter(branch);
  const origin = await originOf({store}, branch);
  const schemas: SchemaOfSide = {
    branch: processed.of(await store.snapshot({branch})),
    origin: processed.of(await store.snapshot({branch: origin})),
  };
  const weighed = await weigh(matter, schemas, side, NOTHING_DROPPED.ofBranch);
  return {matter, schemas, weighed, claimed: claimOf(weighed.branch, weighed.plan.writes, weighed.result)};
}

async function attempt(
  deps: Deps,
  caller: Caller,
  draft: MergeDraft,
  request: CombineRequest,
  side: Side,
  dropped: Dropped,
  prepared: Prepared | undefined,
): Promise<Together | undefined> {
  const matter = await draft.matter(request.branch, prepared?.matter);
  const isEmpty = matter.branch.length === 0 && matter.schema === undefined;
  if (side === 'origin' && isEmpty) return undefined;
  const branch = await deps.store.branch(request.branch);
  const origin = must(branch.origin, 'an origin');
  const isAsWeighed = matter.at === prepared?.matter.at;
  const winner = await deps.store.snapshot(
    side === 'origin' ? {branch: branch.name} : {branch: origin, ...(isAsWeighed ? {at: matter.at} : {})},
  );
  const before = await deps.store.snapshot({branch: draft.branch});
  const base = await deps.store.snapshot({branch: origin, at: branch.forkedAt});
  const onDefaultBranch = draft.branch === deps.store.defaultBranch;
  const scopeOf = (schema: Schema): WriteScope => ({
    draft,
    schema,
    caller,
    onDefaultBranch,
    ids: deps.ids,
    ...readerOf(deps),
  });
  const [ofTarget, ofOther] = [deps.schemas.of(draft), deps.schemas.of(winner)];
  const schemas: SchemaOfSide =
    side === 'origin' ? {branch: ofOther, origin: ofTarget} : {branch: ofTarget, origin: ofOther};
  const isPrepared =
    matter === prepared?.matter &&
    dropped === NOTHING_DROPPED &&
    schemas.branch === prepared.schemas.branch &&
    schemas.origin === prepared.schemas.origin;
  const together = await bringTogether({
    branch: request.branch,
    draft,
    matter,
    claimed: isPrepared ? prepared.claimed : undefined,
    weighed: isPrepared ? prepared.weighed : await weigh(matter, schemas, side, dropped.ofBranch),
    schemas,
    target: side,
    winner,
    before,
    base,
    dropped,
    scopeOf,
  });
  if (request.isDryRun === true) {
    await draft.rehearse();
    throw new DryRun(together);
  }
  await request.alongside?.(draft, together.changes);
  return together;
}

async function claimConflicts(deps: Deps, branch: BranchName, error: unknown): Promise<readonly Conflict[]> {
  const claims = claimsOf(error);
  if (claims.length === 0) throw error;
  const matter = await deps.merges.matter(branch);
  return once(claims.map(claim => uniqueConflict(claim, matter.branch, deps.store.now(), matter.choices)));
}

const once = (conflicts: readonly Conflict[]): readonly Conflict[] => [
  ...new Map(conflicts.map(conflict => [conflict.id, conflict])).values(),
];

function withoutLosers(dropped: Dropped, conflicts: readonly Conflict[]): Dropped {
  const ofBranch = new Map(dropped.ofBranch);
  const ofOrigin = new Map(dropped.ofOrigin);
  for (const {subject, choice} of conflicts) {
    if (subject.is !== 'unique') continue;
    const [losers, loser] = choice === 'branch' ? [ofOrigin, subject.other] : [ofBranch, subject.node];
    losers.set(loser, [...(losers.get(loser) ?? []), ...subject.fields]);
  }
  return {ofBranch, ofOrigin};
}
