import type {DraftState} from './draft-state.ts';
import type {KindLayout, UniqueLayout} from './layout.ts';
import {levelsOf} from './lineage.ts';
import {WHOLE} from './page-slice.ts';
import type {Work} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import {uniqueKeys, uniquenessViolated} from './unique-keys.ts';

/** Two constraints are the same when equal objects hold equal keys, whatever the names of the attributes. */
export const sameConstraint = (a: UniqueLayout, b: UniqueLayout): boolean =>
  a.serial === b.serial && a.signature === b.signature;

const hasConstraint = (kind: KindLayout, unique: UniqueLayout): boolean =>
  kind.unique.some(other => sameConstraint(other, unique));

export const sameConstraints = (a: KindLayout, b: KindLayout): boolean =>
  a.unique.length === b.unique.length && a.unique.every(unique => hasConstraint(b, unique));

/**
 * A constraint that this write gives to a kind binds all objects that the branch sees, its origin's too. The keys of
 * the branch's own objects decide among themselves; the others keep no keys of it, so all are looked at.
 */
export function* refuseDoubles(state: DraftState): Work<void> {
  for (const kind of state.layout.kinds.values()) {
    const before = state.layoutBefore.bySerial.get(kind.serial);
    if (before === undefined || before === kind) continue;
    if (levelsOf(state.lineage, kind.shape.scope).length === 1) continue;
    for (const unique of kind.unique) {
      if (!hasConstraint(before, unique)) yield* refuseDoublesOf(state, unique);
    }
  }
}

function* refuseDoublesOf(state: DraftState, unique: UniqueLayout): Work<void> {
  const holders = new Map<string, StoredNode>();
  for (const kind of state.layout.kinds.values()) {
    if (!kind.unique.some(other => other.serial === unique.serial)) continue;
    const selection = yield* state.queries.select(kind, []);
    if (selection === undefined) continue;
    for (const node of yield* state.reader.load(yield* state.queries.placed(selection, WHOLE))) {
      const key = (yield* uniqueKeys(state, node)).get(unique.serial);
      if (key === undefined) continue;
      const holder = holders.get(key);
      if (holder !== undefined) {
        throw uniquenessViolated(node.kind, node.id, holder.id, unique.shape.parts, name => node.value(name));
      }
      holders.set(key, node);
    }
  }
}
