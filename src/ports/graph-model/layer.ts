import type {Json} from '../../base/json.ts';
import type {AttributeState, EdgeProperties} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {RelationshipShape, Scope} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord} from '../graph-store.ts';

/** All that a branch sees of its own and of its origin, in one piece; or all agnostic data. Never edited. */
export interface Layer {
  readonly kinds: ReadonlyMap<string, KindRecord>;
  readonly nodes: ReadonlyMap<NodeId, Item>;
  /** Attributes that live in another layer than their object: aware ones of an agnostic object, say. */
  readonly parts: ReadonlyMap<NodeId, Part>;
  readonly edges: ReadonlyMap<string, Edge>;
}

export const EMPTY_LAYER: Layer = {kinds: new Map(), nodes: new Map(), parts: new Map(), edges: new Map()};

export interface Part {
  /** Another one for each version ever written. */
  readonly stamp: number;
  readonly updatedAt: Instant;
  /** By the attribute's id. */
  readonly attributes: ReadonlyMap<string, AttributeState>;
}

export interface Item extends Part {
  readonly id: NodeId;
  readonly kindId: string;
  readonly serial: number;
  readonly createdAt: Instant;
}

export interface Edge {
  readonly identifier: string;
  readonly isDirected: boolean;
  readonly from: NodeId;
  readonly to: NodeId;
  readonly properties: EdgeProperties;
  readonly updatedAt: Instant;
}

/** Local and aware things live on the branch. */
export type Place = 'branch' | 'global';

export const placeOf = (scope: Scope): Place => (scope === 'agnostic' ? 'global' : 'branch');

export function edgeKey(node: NodeId, relationship: RelationshipShape, peer: NodeId): string {
  const {identifier, direction} = relationship;
  if (direction === 'outbound') return `${identifier} ${node}>${peer}`;
  if (direction === 'inbound') return `${identifier} ${peer}>${node}`;
  return `${identifier} ${node < peer ? `${node}=${peer}` : `${peer}=${node}`}`;
}

/** The other end of an edge, when it is one that `node` has through the relationship. */
export function peerThrough(edge: Edge, node: NodeId, relationship: RelationshipShape): NodeId | undefined {
  const {direction} = relationship;
  if (edge.identifier !== relationship.identifier) return undefined;
  if (edge.isDirected !== (direction !== 'bidirectional')) return undefined;
  if (direction !== 'inbound' && edge.from === node) return edge.to;
  if (direction !== 'outbound' && edge.to === node) return edge.from;
  return undefined;
}

export const unwritten = (late: Json | undefined, createdAt: Instant): AttributeState => ({
  value: late ?? null,
  isDefault: true,
  isFromProfile: false,
  isProtected: false,
  isVisible: true,
  source: null,
  owner: null,
  updatedAt: createdAt,
});

/** What happened when: the layer as it was from each instant on. */
export class Timeline {
  readonly #entries: {readonly since: Instant; readonly layer: Layer}[] = [];

  get since(): Instant | undefined {
    return this.#entries[0]?.since;
  }

  get head(): Layer {
    return this.#entries.at(-1)?.layer ?? EMPTY_LAYER;
  }

  push(since: Instant, layer: Layer): void {
    this.#entries.push({since, layer});
  }

  at(instant: Instant): Layer {
    return this.#entries.findLast(entry => entry.since <= instant)?.layer ?? EMPTY_LAYER;
  }
}
