import {sha1Hex} from '../../base/hash.ts';
import type {Json} from '../../base/json.ts';
import {canonicalJson} from '../../base/json.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Instant} from '../time/instant.ts';

/** Whose word stands: what the branch says, or what its origin says. */
export type Side = 'branch' | 'origin';

/** One thing that both sides changed since the fork, with different results. */
export interface Conflict {
  /** Stays the same as long as the same thing is in conflict. */
  readonly id: string;
  readonly subject: ConflictSubject;
  readonly branch: ConflictSide;
  readonly origin: ConflictSide;
  /** The side somebody chose while both sides were just as they are now. */
  readonly choice: Side | undefined;
}

export type ConflictSubject =
  | {readonly is: 'node'; readonly node: NodeId; readonly kind: string}
  | {
      readonly is: 'attribute';
      readonly node: NodeId;
      readonly kind: string;
      readonly attribute: string;
      readonly property: AttributeProperty;
    }
  | {readonly is: 'peer'; readonly node: NodeId; readonly kind: string; readonly relationship: string}
  | {
      readonly is: 'edge';
      readonly node: NodeId;
      readonly kind: string;
      readonly relationship: string;
      readonly peer: NodeId;
    }
  | {
      /**
       * Two objects claim one unique value. Choosing a side drops the object that the other side made, or takes the
       * value from one that was there before.
       */
      readonly is: 'unique';
      readonly node: NodeId;
      readonly kind: string;
      readonly fields: readonly string[];
      readonly other: NodeId;
    }
  | {readonly is: 'schema'; readonly path: string};

export type AttributeProperty = 'value' | 'isProtected' | 'isVisible' | 'source' | 'owner';

export interface ConflictSide {
  readonly action: 'added' | 'updated' | 'removed';
  readonly value: Json;
  readonly changedAt: Instant;
  /** Where the value does not tell all that a choice is made for: a digest of it. */
  readonly state?: string;
}

/** A choice, with the state of both sides it was made for: it holds while they stay as they are. */
export interface Choice {
  readonly side: Side;
  readonly fingerprint: string;
}

export type Choices = ReadonlyMap<string, Choice>;

export function makeConflict(
  subject: ConflictSubject,
  branch: ConflictSide,
  origin: ConflictSide,
  choices: Choices,
): Conflict {
  const id = sha1Hex(canonicalJson(subject)).slice(0, 32);
  const choice = choices.get(id);
  const holds = choice !== undefined && choice.fingerprint === fingerprint(branch, origin);
  return {id, subject, branch, origin, choice: holds ? choice.side : undefined};
}

export const fingerprint = (branch: ConflictSide, origin: ConflictSide): string =>
  sha1Hex(
    canonicalJson(
      [branch, origin].flatMap(({action, value, state}) => [
        action,
        value,
        ...(state === undefined ? [] : [state]),
      ]),
    ),
  );

export const choose = (conflict: Conflict, side: Side): Choice => ({
  side,
  fingerprint: fingerprint(conflict.branch, conflict.origin),
});
