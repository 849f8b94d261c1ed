import type {AttributeChange} from '../../domain/diff/change.ts';
import type {AttributeState} from '../../domain/graph/node.ts';
import {sameSlot, sameState} from './document.ts';
import type {KindLayout, SlotLayout} from './layout.ts';
import type {StoredNode} from './stored-node.ts';

/** How the branch-aware attributes of an object differ between two states of it. */
export function attributeChanges(
  before: StoredNode | undefined,
  after: StoredNode | undefined,
): readonly AttributeChange[] {
  if (before === undefined || after === undefined) return wholeChanges(before, after);
  if (before.layout !== after.layout) return changesAcross(before, after);
  return before.version === after.version ? [] : changesWithin(before, after);
}

function wholeChanges(
  before: StoredNode | undefined,
  after: StoredNode | undefined,
): readonly AttributeChange[] {
  const layout = (before ?? after)?.layout;
  return layout === undefined
    ? []
    : awareSlots(layout).map(slot => ({
        name: slot.shape.name,
        before: before?.stateOf(slot),
        after: after?.stateOf(slot),
      }));
}

/** Between two versions under one schema: states are made only of slots that differ. */
function changesWithin(before: StoredNode, after: StoredNode): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  for (const slot of awareSlots(after.layout)) {
    if (!slot.isPart && sameSlot(before.document, after.document, slot.slot)) continue;
    const [a, b] = [before.stateOf(slot), after.stateOf(slot)];
    if (!sameState(a, b)) changes.push({name: slot.shape.name, before: a, after: b});
  }
  return changes;
}

/** Between versions under two schemas: an attribute keeps its id, whatever it is called. */
function changesAcross(before: StoredNode, after: StoredNode): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  const gone = new Map(awareSlots(before.layout).map(slot => [slot.shape.id, slot]));
  for (const slot of awareSlots(after.layout)) {
    const {id, name} = slot.shape;
    const old = gone.get(id);
    gone.delete(id);
    const a = old && before.stateOf(old);
    const b = after.stateOf(slot);
    if (!isSame(a, b)) changes.push({name, before: a, after: b});
  }
  for (const slot of gone.values())
    changes.push({name: slot.shape.name, before: before.stateOf(slot), after: undefined});
  return changes;
}

const slotsOfLayouts = new WeakMap<KindLayout, readonly SlotLayout[]>();

function awareSlots(layout: KindLayout): readonly SlotLayout[] {
  const known = slotsOfLayouts.get(layout);
  if (known !== undefined) return known;
  const slots = [...layout.slots.values()].filter(slot => slot.shape.scope === 'aware');
  slotsOfLayouts.set(layout, slots);
  return slots;
}

export const isSame = (a: AttributeState | undefined, b: AttributeState | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameState(a, b);
