import type {Json} from '../../base/json.ts';
import type {EdgeChange, NodeChange} from '../diff/change.ts';
import type {EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Choices, Conflict, ConflictSide, Side} from './conflict.ts';
import {makeConflict} from './conflict.ts';

/** An edge that a side changed, and whose word on it stands. */
export interface WeighedEdge {
  readonly relationship: string;
  readonly peer: NodeId;
  readonly side: Side | undefined;
  /** The state that stands; `undefined` for no edge. */
  readonly properties: EdgeProperties | undefined;
}

export interface WeighedRelationship {
  readonly edges: readonly WeighedEdge[];
  readonly conflicts: readonly Conflict[];
}

/**
 * Weighs what both sides did to one relationship of one object. To-many changes unite; a to-one peer that both
 * moved to different places is one conflict; the same edge given different properties is another.
 */
export function weighRelationship(
  node: NodeChange,
  relationship: string,
  isToOne: boolean,
  branch: readonly EdgeChange[],
  origin: readonly EdgeChange[],
  originAt: NodeChange['changedAt'],
  choices: Choices,
): WeighedRelationship {
  const conflicts: Conflict[] = [];
  let all: Side | undefined;
  if (isToOne && branch.length > 0 && origin.length > 0) {
    const ours = peerAfter(branch);
    const theirs = peerAfter(origin);
    if (ours !== theirs) {
      const subject = {is: 'peer', node: node.id, kind: node.kind, relationship} as const;
      const conflict = makeConflict(subject, moved(ours, node.changedAt), moved(theirs, originAt), choices);
      conflicts.push(conflict);
      all = conflict.choice;
      if (all === undefined) return {edges: [], conflicts};
    }
  }
  const edges: WeighedEdge[] = [];
  const byPeer = new Map(origin.map(change => [change.peer, change]));
  for (const ours of branch) {
    const theirs = byPeer.get(ours.peer);
    byPeer.delete(ours.peer);
    let side: Side | undefined = all ?? 'branch';
    if (all === undefined && theirs !== undefined && !sameEdge(ours.after, theirs.after)) {
      const subject = {is: 'edge', node: node.id, kind: node.kind, relationship, peer: ours.peer} as const;
      const conflict = makeConflict(
        subject,
        edgeSide(ours, node.changedAt),
        edgeSide(theirs, originAt),
        choices,
      );
      conflicts.push(conflict);
      side = conflict.choice;
    }
    const properties = side === 'origin' ? (theirs === undefined ? ours.before : theirs.after) : ours.after;
    edges.push({relationship, peer: ours.peer, side, properties});
  }
  for (const theirs of byPeer.values()) {
    const properties = all === 'branch' ? theirs.before : theirs.after;
    edges.push({relationship, peer: theirs.peer, side: all ?? 'origin', properties});
  }
  return {edges, conflicts};
}

const peerAfter = (changes: readonly EdgeChange[]): NodeId | null =>
  changes.find(change => change.after !== undefined)?.peer ?? null;

const moved = (peer: NodeId | null, changedAt: ConflictSide['changedAt']): ConflictSide => ({
  action: peer === null ? 'removed' : 'updated',
  value: peer,
  changedAt,
});

const edgeSide = (change: EdgeChange, changedAt: ConflictSide['changedAt']): ConflictSide => ({
  action: change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'updated',
  value: (change.after ?? null) as unknown as Json,
  changedAt,
});

const sameEdge = (a: EdgeProperties | undefined, b: EdgeProperties | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.isProtected === b.isProtected &&
      a.isVisible === b.isVisible &&
      a.source === b.source &&
      a.owner === b.owner;
