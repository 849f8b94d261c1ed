import type {AttributeState, EdgeProperties} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Instant} from '../time/instant.ts';

/** How one object differs between two states of the graph. Objects that do not differ have no change. */
export interface NodeChange {
  readonly id: NodeId;
  readonly kind: string;
  readonly action: 'added' | 'updated' | 'removed';
  readonly attributes: readonly AttributeChange[];
  readonly edges: readonly EdgeChange[];
  /** The last commit that touched it within the compared stretch. */
  readonly changedAt: Instant;
}

export interface AttributeChange {
  readonly name: string;
  readonly before: AttributeState | undefined;
  readonly after: AttributeState | undefined;
}

export interface EdgeChange {
  readonly relationship: string;
  readonly peer: NodeId;
  readonly before: EdgeProperties | undefined;
  readonly after: EdgeProperties | undefined;
}
