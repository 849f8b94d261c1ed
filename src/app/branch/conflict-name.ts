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

/** The refusal of a merge or rebase with conflicts that nobody has decided. */
export function conflictsRefused(branch: Branch, conflicts: readonly Conflict[]) {
  const open = conflicts.filter(conflict => conflict.choice === undefined);
  return constraintViolation(
    `The branch ${branch.name} has ${open.length} unresolved conflict${open.length === 1 ? '' : 's'}; choose a side for each`,
    {branch: branch.name, conflicts: open.map(conflict => facts(branch, conflict))},
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
