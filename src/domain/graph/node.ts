import type {Json} from '../../base/json.ts';
import type {Instant} from '../time/instant.ts';
import type {NodeId} from './node-id.ts';

/** One object as a snapshot sees it. Never changes: another version is another record. */
export interface NodeRecord {
  readonly id: NodeId;
  /** The name of its kind in the schema of the snapshot. */
  readonly kind: string;
  /** Identifies this version for ever, on every server: what is cached under it stays right. */
  readonly version: string;
  readonly createdAt: Instant;
  /** When this version was committed. */
  readonly updatedAt: Instant;
  /** The state of an attribute; `undefined` when the kind has no attribute of that name. */
  attribute(name: string): AttributeState | undefined;
  /** Just the value: null when unset or unknown. */
  value(name: string): Json;
}

export interface AttributeState {
  readonly value: Json;
  readonly isDefault: boolean;
  readonly isFromProfile: boolean;
  readonly isProtected: boolean;
  readonly isVisible: boolean;
  readonly source: NodeId | null;
  readonly owner: NodeId | null;
  readonly updatedAt: Instant;
}

/** What one write says about an attribute; what it leaves out stays as it is. */
export interface AttributeWrite {
  readonly value?: Json;
  /** True for a value that nobody chose: the schema's default, or none. */
  readonly isDefault?: boolean;
  readonly isFromProfile?: boolean;
  readonly isProtected?: boolean;
  readonly isVisible?: boolean;
  readonly source?: NodeId | null;
  readonly owner?: NodeId | null;
}

export type AttributeWrites = Readonly<Record<string, AttributeWrite>>;

export interface EdgeProperties {
  readonly isProtected: boolean;
  readonly isVisible: boolean;
  readonly source: NodeId | null;
  readonly owner: NodeId | null;
}

export const PLAIN_EDGE: EdgeProperties = {isProtected: false, isVisible: true, source: null, owner: null};

export interface EdgeRecord {
  readonly properties: EdgeProperties;
  readonly updatedAt: Instant;
}

/** A relationship seen from one end, by the name it has on that end's kind. */
export interface EdgeEnd {
  readonly node: NodeId;
  readonly relationship: string;
  readonly peer: NodeId;
}
