import type {AttributeWrite} from '../../domain/graph/node.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import type {Losers} from '../../domain/merge/plan-merge.ts';
import {wholeWrite} from '../../domain/merge/weigh-attributes.ts';
import type {Snapshot} from '../../ports/graph-store.ts';

/**
 * What takes a unique value from objects of the origin, so that the branch may have it. One that was there at the fork
 * gets back what it had then; one that was made since, or that the value cannot be taken from, goes.
 */
export async function dropLosers(
  origin: Snapshot,
  base: Snapshot,
  losers: Losers,
): Promise<readonly MergeWrite[]> {
  const writes: MergeWrite[] = [];
  for (const [id, fields] of losers) {
    const now = await origin.node(id);
    if (now === undefined) continue;
    const then = await base.node(id);
    const attributes: Record<string, AttributeWrite> = {};
    for (const name of fields) {
      const state = then?.attribute(name);
      if (state !== undefined && state.value !== now.value(name)) attributes[name] = wholeWrite(state);
    }
    const isTaken = Object.keys(attributes).length > 0;
    writes.push(isTaken ? {is: 'update', id, attributes} : {is: 'delete', id, against: 'origin'});
  }
  return writes;
}
