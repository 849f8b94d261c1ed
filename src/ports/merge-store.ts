import type {BranchName} from '../domain/branch/branch.ts';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {Choice, Choices} from '../domain/merge/conflict.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {Author, Draft, KindRecord, ThreeWay, Written} from './graph-store.ts';

/** A write that may move the fork of a branch: what only merge and rebase need. */
export interface MergeDraft extends Draft {
  /**
   * All that a merge of the branch weighs, as the draft sees it: what was `prepared` before, when nothing that it says
   * has moved since.
   */
  matter(branch: BranchName, prepared?: MergeMatterOfBranch): Promise<MergeMatterOfBranch>;
  clashes(branch: BranchName): Promise<readonly UniqueClash[]>;
  /**
   * Does the work in steps between which others write; nobody sees any of it before the commit. Whoever would write what
   * is claimed waits, so what is read of that stays so; what is read of others may not. Where the write does not land in
   * steps, the work is just done.
   */
  ahead(claim: () => Claim, work: () => Promise<void>): Promise<void>;
  /**
   * The changes of a branch that stands on the draft's are in this write: its own versions end here, its fork is
   * this commit, and what it says from now on is new. Local data stays with it.
   */
  settle(branch: BranchName): Promise<void>;
  /** Moves the fork of the draft's own branch to its origin as the draft began with it; what the branch wrote stays on top. */
  rebase(): Promise<void>;
}

/** What a merge or rebase is going to write. */
export interface Claim {
  /** The branch that is merged or rebased: nobody else writes to it meanwhile. */
  readonly branch: BranchName;
  /** The objects that nobody else writes meanwhile, nor their edges. */
  readonly nodes: readonly NodeId[];
  /** The objects that nobody removes meanwhile. */
  readonly peers: readonly NodeId[];
  /** The kinds of the objects that change. */
  readonly kinds: readonly string[];
}

export interface MergeMatterOfBranch extends ThreeWay {
  /** As of when. */
  readonly at: Instant;
  /** The three schemas; absent when the branch did not change its schema. */
  readonly schema: ThreeSchemas | undefined;
  readonly choices: Choices;
}

/** Two objects that claim one unique value. */
export interface UniqueClash {
  /** Of the claimant. */
  readonly kind: string;
  readonly id: NodeId;
  /** Who holds the value already. */
  readonly existing: NodeId;
  /** The attributes and relationships that must be unique together. */
  readonly fields: readonly string[];
}

export interface ThreeSchemas {
  readonly base: readonly KindRecord[];
  readonly branch: readonly KindRecord[];
  readonly origin: readonly KindRecord[];
}

/** How far a branch and its origin have gone apart, in commits that have something to merge. */
export interface Distance {
  /** Made on the branch and not merged. */
  readonly ahead: number;
  /** Made on its origin since the fork. */
  readonly behind: number;
  /** How many objects, edges and kinds the commits of the branch have touched, each time counted. */
  readonly touches: number;
  /** From when on commits of the branch count as not merged. */
  readonly since: Instant;
}

/** The part of the graph store that brings branches together. */
export interface MergeStore {
  /**
   * Like `write`, with a draft that may also move forks. One that makes many changes, about so many, may land in steps:
   * others write while it does what it does `ahead`.
   */
  combine<T>(
    branch: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
    changes?: number,
  ): Promise<Written<T>>;
  matter(branch: BranchName): Promise<MergeMatterOfBranch>;
  /** The unique values that objects of the branch and others of its origin hold at once. */
  clashes(branch: BranchName): Promise<readonly UniqueClash[]>;
  /** Keeps a choice in a conflict of the branch, or forgets it; not part of its history. */
  choose(branch: BranchName, conflict: string, choice: Choice | null): Promise<void>;
  distance(branch: BranchName): Promise<Distance>;
  /** Says what the branch is for; not part of its history. */
  describe(branch: BranchName, description: string): Promise<void>;
}
