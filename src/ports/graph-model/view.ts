import type {BranchName} from '../../domain/branch/branch.ts';
import type {EdgeRecord, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord, Neighbour, Page, Snapshot} from '../graph-store.ts';
import {type Layer, peerThrough, placeOf} from './layer.ts';
import {ModelNode} from './node.ts';
import {answer, type Graph} from './query.ts';

/** Who made the commit of an instant. */
export type Authors = (instant: Instant) => NodeId | null;

/** What one reader sees: the layer of a branch, and the agnostic data of the same moment. */
export class ModelView implements Snapshot, Graph {
  readonly branch: BranchName;
  readonly at: Instant;
  protected own: Layer;
  protected global: Layer;
  readonly #authors: Authors;

  constructor(branch: BranchName, at: Instant, own: Layer, global: Layer, authors: Authors) {
    this.branch = branch;
    this.at = at;
    this.own = own;
    this.global = global;
    this.#authors = authors;
  }

  get schemaKey(): string {
    return JSON.stringify(this.kinds());
  }

  kind(name: string): KindShape | undefined {
    return this.kinds().find(record => record.shape.name === name)?.shape;
  }

  kinds(): readonly KindRecord[] {
    return [...this.own.kinds.values()].sort((a, b) => (a.shape.name < b.shape.name ? -1 : 1));
  }

  /** The object, when it exists here and its kind does too. */
  find(id: NodeId): ModelNode | undefined {
    const [local, shared] = [this.own.nodes.get(id), this.global.nodes.get(id)];
    const item = local ?? shared;
    const shape = item && this.own.kinds.get(item.kindId)?.shape;
    if (item === undefined || shape === undefined) return undefined;
    const part = item === local ? this.global.parts.get(id) : this.own.parts.get(id);
    return new ModelNode(item, part, shape);
  }

  authorAt(instant: Instant): NodeId | null {
    return this.#authors(instant);
  }

  all(): ModelNode[] {
    const ids = [...this.own.nodes.keys(), ...this.global.nodes.keys()];
    return ids.flatMap(id => this.find(id) ?? []);
  }

  /** Peers through a relationship of the object's kind; none when the kind lacks it. */
  peers(node: ModelNode, relationship: string): {node: ModelNode; edge: EdgeRecord}[] {
    const shape = node.shape.relationships.find(candidate => candidate.name === relationship);
    if (shape === undefined) return [];
    const {edges} = placeOf(shape.scope) === 'global' ? this.global : this.own;
    return [...edges.values()].flatMap(edge => {
      const peerId = peerThrough(edge, node.id, shape);
      const peer = peerId === undefined ? undefined : this.find(peerId);
      return peer === undefined ? [] : [{node: peer, edge}];
    });
  }

  async node(id: NodeId): Promise<NodeRecord | undefined> {
    return this.find(id);
  }

  async nodes(ids: readonly NodeId[]): Promise<readonly (NodeRecord | undefined)[]> {
    return ids.map(id => this.find(id));
  }

  async query(query: NodeQuery): Promise<Page> {
    return answer(this, query);
  }

  async neighbours(id: NodeId, relationship: string): Promise<readonly Neighbour[]> {
    const node = this.find(id);
    if (node === undefined) return [];
    return this.peers(node, relationship).map(({node: {id, kind}, edge}) => ({
      id,
      kind,
      edge: {properties: edge.properties, updatedAt: edge.updatedAt},
    }));
  }
}
