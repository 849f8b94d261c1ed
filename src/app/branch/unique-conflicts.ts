import {isJsonObject} from '../../base/json.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Choices, Conflict} from '../../domain/merge/conflict.ts';
import {makeConflict} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';

/** What a write was refused for: two objects with one unique value. */
export interface Claim {
  readonly kind: string;
  readonly id: NodeId;
  readonly existing: NodeId;
  readonly fields: readonly string[];
}

/** The claims that a refused write names; none when it was refused for another reason. */
export function claimsOf(error: unknown): readonly Claim[] {
  if (!(error instanceof ServiceError) || error.code !== 'CONSTRAINT_VIOLATION') return [];
  const {claims} = error.facts;
  return Array.isArray(claims) ? claims.filter(isJsonObject).map(claim => claim as unknown as Claim) : [];
}

/** A claim as a conflict: the object of the branch against the one that its origin has. */
export function uniqueConflict(
  claim: Claim,
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
