import type {Scope} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';

/** A stretch of history that a reader sees: one branch, up to an instant. */
export interface Level {
  readonly branch: number;
  readonly until: Instant;
  /** True when nothing on the branch has begun or ended since: all open rows are there, and no closed one is. */
  readonly isCurrent: boolean;
}

/** What a read point sees, nearest first: a branch's own word hides its origin's. */
export interface Lineage {
  readonly branch: readonly Level[];
  /** Agnostic data: one branch that all share. */
  readonly global: readonly Level[];
  /** Both, for a node whose kind is not known yet. A node lives in one of them only. */
  readonly any: readonly Level[];
}

export const GLOBAL_SERIAL = 1;

export interface Base {
  /** From when on the branch stands on this fork. */
  readonly since: Instant;
  readonly parent: number;
  readonly fork: Instant;
  /** True when what the branch said before is part of its origin: at its birth and at each merge, not at a rebase. */
  readonly settles: boolean;
}

export type BasesOf = (branch: number) => readonly Base[];
export type HeadOf = (branch: number) => number;

/**
 * The origin is frozen at the fork that was in force at the instant, so that reads across a rebase stay exact.
 * Before the branch existed, its origin answers.
 */
function branchLevels(
  branch: number,
  until: Instant,
  bases: BasesOf,
  head: HeadOf,
  levels: Level[],
): Level[] {
  const own = bases(branch);
  const level = {branch, until, isCurrent: head(branch) <= until};
  if (own.length === 0) {
    levels.push(level);
    return levels;
  }
  let base: Base | undefined;
  for (const candidate of own) if (candidate.since <= until) base = candidate;
  if (base === undefined) return branchLevels(own[0]!.parent, until, bases, head, levels);
  levels.push(level);
  return branchLevels(base.parent, base.fork, bases, head, levels);
}

export function lineageOf(branch: number, until: Instant, bases: BasesOf, head: HeadOf): Lineage {
  const own = branchLevels(branch, until, bases, head, []);
  const global = [{branch: GLOBAL_SERIAL, until, isCurrent: head(GLOBAL_SERIAL) <= until}];
  return {branch: own, global, any: [...own, ...global]};
}

export const levelsOf = (lineage: Lineage, scope: Scope): readonly Level[] =>
  scope === 'agnostic' ? lineage.global : lineage.branch;
