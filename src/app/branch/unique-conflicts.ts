import {isJsonObject} from '../../base/json.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {ServiceError} from '../../domain/errors.ts';
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

/**
 * A claim as a conflict: the object that the branch gave the value against the one that has it from its origin. The
 * branch may have changed something else in that one, or deleted it in vain.
 */
export function uniqueConflict(
  claim: UniqueClash,
  ofBranch: readonly NodeChange[],
  at: Instant,
  choices: Choices,
): Conflict {
  const {kind, fields} = claim;
  const isOurs = ofBranch.some(
    change => change.id === claim.id && change.action !== 'removed' && touches(change, fields),
  );
  const [node, other] = isOurs ? [claim.id, claim.existing] : [claim.existing, claim.id];
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
  const conflicts = clashes
    .filter(({existing, fields}) => !givesUp(byId.get(existing), fields))
    .map(clash => uniqueConflict(clash, branch, at, choices));
  return [...new Map(conflicts.map(conflict => [conflict.id, conflict])).values()];
}

const givesUp = (change: NodeChange | undefined, fields: readonly string[]): boolean =>
  change !== undefined && (change.action === 'removed' || touches(change, fields));

const touches = ({attributes, edges}: NodeChange, fields: readonly string[]): boolean =>
  attributes.some(({name}) => fields.includes(name)) ||
  edges.some(({relationship}) => fields.includes(relationship));
