import type {EdgeEnd} from '../../domain/graph/node.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import {peersMin} from '../../domain/node/peer-count.ts';
import {concreteKindOf, inverseOn, relationshipOf} from '../../domain/schema/lookup.ts';
import type {EndChange, NodeWork, Placed} from '../node/node-work.ts';
import type {LostEnd} from './apply-plan.ts';

/**
 * What is in order on each side alone may not be together: gathers what the result is to be checked for, and derived
 * values are to be worked out from.
 */
export async function gatherResult(
  work: NodeWork,
  writes: readonly MergeWrite[],
  lost: readonly LostEnd[],
): Promise<void> {
  for (const {peer, kind: name, relationship} of lost) {
    const kind = concreteKindOf(work.schema, name);
    const left = kind === undefined ? undefined : relationshipOf(kind, relationship);
    if (left !== undefined && (await work.draft.node(peer.id)) !== undefined) {
      touchInverse(work, peer, left, 'lost');
    }
  }
  for (const write of writes) {
    if (write.is === 'delete') {
      work.deleted.add(write.id);
    } else if (write.is === 'link' || write.is === 'unlink') {
      await touchEnds(work, write.end, write.is === 'link' ? 'gained' : 'lost');
    } else {
      const node = await work.draft.node(write.id);
      if (node === undefined) continue;
      const kind = concreteKindOf(work.schema, node.kind);
      const names =
        write.is === 'revive'
          ? (kind?.attributes.map(item => item.name) ?? [])
          : Object.keys(write.attributes);
      work.touchValues(node, names);
      if (write.is === 'update') continue;
      work.made.set(node.id, node.kind);
      for (const relationship of kind?.relationships ?? []) {
        if (peersMin(relationship) > 0) work.touchEnd(node, relationship, 'lost', true);
        // The edges of an object that comes back come with it.
        if (write.is === 'revive') work.touchEnd(node, relationship, 'gained', true);
      }
    }
  }
}

async function touchEnds(work: NodeWork, end: EdgeEnd, change: EndChange): Promise<void> {
  const node = await work.draft.node(end.node);
  const peer = await work.draft.node(end.peer);
  const kind = node === undefined ? undefined : concreteKindOf(work.schema, node.kind);
  const relationship = kind === undefined ? undefined : relationshipOf(kind, end.relationship);
  if (node !== undefined && relationship !== undefined) work.touchEnd(node, relationship, change, true);
  if (peer === undefined || relationship === undefined) return;
  touchInverse(work, peer, relationship, change);
}

function touchInverse(
  work: NodeWork,
  peer: Placed,
  relationship: NonNullable<ReturnType<typeof relationshipOf>>,
  change: EndChange,
): void {
  const kind = concreteKindOf(work.schema, peer.kind);
  const inverse = kind === undefined ? undefined : inverseOn(kind, relationship);
  if (inverse !== undefined) work.touchEnd(peer, inverse, change, true);
}
