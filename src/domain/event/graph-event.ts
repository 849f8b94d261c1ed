import type {AttributeKind} from '../attribute/kinds.ts';
import type {BranchName} from '../branch/branch.ts';
import type {AttributeState, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {EventPlace} from './event-place.ts';
import type {EventType} from './event-type.ts';

/** One thing that a commit did. */
export interface GraphEvent {
  readonly place: EventPlace;
  readonly type: EventType;
  /** Where it happened. */
  readonly branch: BranchName;
  /** The object it happened to; of what happens to a branch, the id of the branch. */
  readonly nodeId: string | null;
  readonly kind: string | null;
  /** Who did it; null for the service itself, and where the onlooker may not know. */
  readonly account: NodeId | null;
  /** The service did it by itself. */
  readonly isSystem: boolean;
  /** Some of it happened to data that every branch sees. */
  readonly isShared: boolean;
  readonly detail: EventDetail;
}

export type EventDetail =
  | NodeDetail
  | {readonly is: 'members'; readonly members: readonly Member[]}
  | BranchDetail
  | {readonly is: 'schema'}
  | {readonly is: 'none'};

export interface NodeDetail {
  readonly is: 'node';
  readonly attributes: readonly EventAttribute[];
  readonly edges: readonly EventEdge[];
}

export interface BranchDetail {
  readonly is: 'branch';
  readonly name: BranchName;
  /** Of a merge, the branch that it went into; of a rebase, the one it now stands on. */
  readonly other: BranchName | undefined;
}

export interface Member {
  readonly id: NodeId;
  readonly kind: string;
}

export interface EventAttribute {
  readonly name: string;
  readonly kind: AttributeKind;
  /** Every branch sees it. */
  readonly isShared: boolean;
  readonly before: AttributeState | undefined;
  readonly after: AttributeState | undefined;
}

export interface EventEdge {
  readonly relationship: string;
  readonly peer: NodeId;
  readonly peerKind: string;
  readonly isShared: boolean;
  readonly before: EdgeProperties | undefined;
  readonly after: EdgeProperties | undefined;
}

/** How one commit changed one object, everything included: what is shared, and what is internal. */
export interface CommittedNode {
  readonly id: NodeId;
  readonly kind: string;
  readonly generics: readonly string[];
  readonly action: 'added' | 'updated' | 'removed';
  /** Something changed that every branch sees. */
  readonly isShared: boolean;
  readonly attributes: readonly EventAttribute[];
  readonly edges: readonly EventEdge[];
}
