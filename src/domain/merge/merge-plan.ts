import type {AttributeWrites, EdgeEnd, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Direction} from '../graph/shape.ts';
import type {Conflict, Side} from './conflict.ts';

/** What a merge or a rebase writes, and what stands in its way. */
export interface MergePlan {
  readonly writes: readonly MergeWrite[];
  /** All of them, chosen or not. */
  readonly conflicts: readonly Conflict[];
}

export type MergeWrite =
  | {readonly is: 'create'; readonly id: NodeId; readonly kind: string; readonly attributes: AttributeWrites}
  | {readonly is: 'update'; readonly id: NodeId; readonly attributes: AttributeWrites}
  /** Bring the object back as the winning side has it, edges included. */
  | {readonly is: 'revive'; readonly id: NodeId; readonly from: Side}
  /** `against` the side that went on with the object, if one did: objects there may have come to need it. */
  | {readonly is: 'delete'; readonly id: NodeId; readonly against: Side | undefined}
  | {readonly is: 'link'; readonly end: EdgeEnd; readonly properties: EdgeProperties}
  | {readonly is: 'unlink'; readonly end: EdgeEnd};

/** What the plan must know of the schema that results. */
export interface MergeRules {
  /** Derived values never conflict: they are worked out again from the result. */
  isDerived(kind: string, attribute: string): boolean;
  relationship(kind: string, name: string): RelationshipRule | undefined;
}

export interface RelationshipRule {
  readonly identifier: string;
  readonly direction: Direction;
  readonly cardinality: 'one' | 'many';
}

/** One name for an edge, from whichever end it is seen. */
export function edgeName(rule: RelationshipRule, node: NodeId, peer: NodeId): string {
  const isForward = rule.direction === 'outbound' || (rule.direction === 'bidirectional' && node < peer);
  return isForward ? `${rule.identifier} ${node} ${peer}` : `${rule.identifier} ${peer} ${node}`;
}
