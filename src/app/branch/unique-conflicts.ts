import {isJsonObject} from '../../base/json.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Choices, Conflict} from '../../domain/merge/conflict.ts';
import {makeConflict} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {MergeMatterOfBranch, UniqueClash} from '../../ports/merge-store.ts';

/** The claims that a refused write names; none when it was refused for another reason. */
export function claimsOf(error: unknown): readonly UniqueClash[] {
  if (!(error instanceof ServiceError) || error.code !== 'CONSTRAINT_VIOLATION') return [];
  const {claims} = error.facts;
  return Array.isArray(claims)
    ? claims.filter(isJsonObject).map(claim => claim as unknown as UniqueClash)
    : [];
}

/** A claim as a conflict: the object of the branch against the one that its origin has. */
export function uniqueConflict(
  claim: UniqueClash,
  fromBranch: ReadonlySet<NodeId>,
  at: Instant,
  choices: Choices,
): Conflict {
  const isOurs = fromBranch.has(claim.id);
  const [node, other] = isOurs ? [claim.id, claim.existing] : [claim.existing, claim.id];
  const {kind, fields} = claim;
  return makeConflict(
    {is: 'unique', node, kind, fields, other},
    {action: 'added', value: node, changedAt: at},
    {action: 'added', value: other, changedAt: at},
    choices,
  );
}

/**
 * The unique values that both sides claim. An object of the origin whose claim the branch itself has moved on is out of
 * the way.
 */
export function uniqueClashes(
  {branch, choices, at}: MergeMatterOfBranch,
  clashes: readonly UniqueClash[],
): readonly Conflict[] {
  const byId = new Map(branch.map(change => [change.id, change]));
  const ours = new Set(byId.keys());
  const conflicts = clashes
    .filter(({existing, fields}) => !givesUp(byId.get(existing), fields))
    .map(clash => uniqueConflict(clash, ours, at, choices));
  return [...new Map(conflicts.map(conflict => [conflict.id, conflict])).values()];
}

const givesUp = (change: NodeChange | undefined, fields: readonly string[]): boolean =>
  change !== undefined &&
  (change.action === 'removed' ||
    change.attributes.some(({name}) => fields.includes(name)) ||
    change.edges.some(({relationship}) => fields.includes(relationship)));
