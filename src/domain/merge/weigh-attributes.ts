import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import type {AttributeChange, NodeChange} from '../diff/change.ts';
import type {AttributeState, AttributeWrite} from '../graph/node.ts';
import type {AttributeProperty, Choices, Conflict, ConflictSide, Side} from './conflict.ts';
import {makeConflict} from './conflict.ts';

const PROPERTIES: readonly AttributeProperty[] = ['value', 'isProtected', 'isVisible', 'source', 'owner'];

/** What each side ends with, property by property: taken from the branch, from its origin, or in conflict. */
export interface WeighedAttribute {
  readonly name: string;
  /** The properties where the branch's word stands, as a write; empty when none does. */
  readonly fromBranch: AttributeWrite;
  readonly fromOrigin: AttributeWrite;
  readonly conflicts: readonly Conflict[];
}

export function weighAttribute(
  node: NodeChange,
  branch: AttributeChange | undefined,
  origin: AttributeChange | undefined,
  originAt: NodeChange['changedAt'],
  choices: Choices,
): WeighedAttribute {
  const name = (branch ?? origin)!.name;
  const fromBranch: Record<string, unknown> = {};
  const fromOrigin: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  for (const property of PROPERTIES) {
    const ours = changed(branch, property);
    const theirs = changed(origin, property);
    let side: Side | undefined = ours ? 'branch' : theirs ? 'origin' : undefined;
    if (ours && theirs && !sameJson(valueAt(branch?.after, property), valueAt(origin?.after, property))) {
      const subject = {is: 'attribute', node: node.id, kind: node.kind, attribute: name, property} as const;
      const conflict = makeConflict(
        subject,
        sideOf(branch!, property, node.changedAt),
        sideOf(origin!, property, originAt),
        choices,
      );
      conflicts.push(conflict);
      side = conflict.choice;
    }
    if (side === 'branch') copy(fromBranch, branch?.after, property);
    if (side === 'origin') copy(fromOrigin, origin?.after, property);
  }
  return {name, fromBranch, fromOrigin, conflicts};
}

/** The whole state of an attribute, as a write. */
export function wholeWrite(state: AttributeState): AttributeWrite {
  const {value, isDefault, isFromProfile, isProtected, isVisible, source, owner} = state;
  return {value, isDefault, isFromProfile, isProtected, isVisible, source, owner};
}

function changed(change: AttributeChange | undefined, property: AttributeProperty): boolean {
  if (change === undefined) return false;
  return (
    !sameJson(valueAt(change.before, property), valueAt(change.after, property)) || isReset(change, property)
  );
}

/** Choosing the default by hand, or giving a choice up, counts as a change of the value. */
const isReset = ({before, after}: AttributeChange, property: AttributeProperty): boolean =>
  property === 'value' && before?.isDefault !== after?.isDefault;

const valueAt = (state: AttributeState | undefined, property: AttributeProperty): Json =>
  state?.[property] ?? null;

function copy(
  write: Record<string, unknown>,
  state: AttributeState | undefined,
  property: AttributeProperty,
): void {
  if (state === undefined) return;
  write[property] = state[property];
  if (property !== 'value') return;
  write.isDefault = state.isDefault;
  write.isFromProfile = state.isFromProfile;
}

function sideOf(
  change: AttributeChange,
  property: AttributeProperty,
  changedAt: ConflictSide['changedAt'],
): ConflictSide {
  const action = change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'updated';
  return {action, value: valueAt(change.after, property), changedAt};
}
