import type {Json} from '../../base/json.ts';
import type {Branch} from '../../domain/branch/branch.ts';
import {constraintViolation} from '../../domain/errors.ts';
import type {Conflict, ConflictSide} from '../../domain/merge/conflict.ts';
import {conflictPath} from '../../domain/merge/conflict-path.ts';
import {formatInstant} from '../../domain/time/instant.ts';

/** How callers name a conflict: the same thing may be in conflict on several branches, so the branch is part of it. */
export const conflictName = (branch: Branch, conflict: Pick<Conflict, 'id'>): string =>
  `${branch.id}.${conflict.id}`;

export function parseConflictName(name: string): {readonly branchId: string; readonly id: string} {
  const [branchId = '', id = ''] = name.split('.');
  return {branchId, id};
}

const isOpen = ({choice}: Conflict): boolean => choice === undefined;

/** How many of the conflicts that nobody has decided are none of the caller's business, in words. */
export function hiddenAmong(conflicts: readonly Conflict[], seen: readonly Conflict[]): string | undefined {
  const hidden = conflicts.filter(isOpen).length - seen.filter(isOpen).length;
  return hidden === 0 ? undefined : `${hidden} over data that you may not view`;
}

/** The refusal of a merge or rebase with conflicts that nobody has decided, with those that the caller may see. */
export function conflictsRefused(branch: Branch, conflicts: readonly Conflict[], seen: readonly Conflict[]) {
  const open = conflicts.filter(isOpen);
  const hidden = hiddenAmong(conflicts, seen);
  return constraintViolation(
    `The branch ${branch.name} has ${open.length} unresolved conflict${open.length === 1 ? '' : 's'}${hidden === undefined ? '' : ` (${hidden})`}; choose a side for each`,
    {branch: branch.name, conflicts: seen.filter(isOpen).map(conflict => facts(branch, conflict))},
  );
}

const facts = (branch: Branch, conflict: Conflict): Json => ({
  id: conflictName(branch, conflict),
  is: conflict.subject.is,
  path: conflictPath(conflict.subject),
  ...(conflict.subject.is === 'schema' ? {} : {node: conflict.subject.node, kind: conflict.subject.kind}),
  branch: side(conflict.branch),
  origin: side(conflict.origin),
});

const side = ({action, value, changedAt}: ConflictSide): Json => ({
  action,
  value,
  at: formatInstant(changedAt),
});
