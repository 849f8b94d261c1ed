import {must} from '../../base/assert.ts';
import {sameJson} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {constraintViolation, kindNotFound, nodeNotFound, validationError} from '../../domain/errors.ts';
import {
  type AttributeState,
  type AttributeWrite,
  type AttributeWrites,
  type EdgeEnd,
  type EdgeProperties,
  type NodeRecord,
  PLAIN_EDGE,
} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {RelationshipShape} from '../../domain/graph/shape.ts';
import type {NewTask, TaskId} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Draft, KindRecord, NewEdge, NewNode} from '../graph-store.ts';
import type {TaskFinish} from '../task-queue.ts';
import {edgeKey, type Layer, type Part, type Place, placeOf, unwritten} from './layer.ts';
import type {ModelNode} from './node.ts';
import {checkUnique} from './unique.ts';
import {type Authors, ModelView} from './view.ts';

/** Numbers that no two things share. */
export interface Counters {
  isUsed(id: NodeId): boolean;
  serialOf(id: NodeId): number;
  nextStamp(): number;
}

export class ModelDraft extends ModelView implements Draft {
  readonly touchedNodes = new Set<NodeId>();
  readonly touchedEdges = new Map<string, readonly NodeId[]>();
  readonly touchedKinds = new Set<string>();
  message: string | undefined;
  readonly #counters: Counters;

  constructor(
    branch: BranchName,
    at: Instant,
    own: Layer,
    global: Layer,
    authors: Authors,
    counters: Counters,
  ) {
    super(branch, at, own, global, authors);
    this.#counters = counters;
  }

  get result(): {readonly own: Layer; readonly global: Layer} {
    return {own: this.own, global: this.global};
  }

  get hasChanges(): boolean {
    return this.touchedNodes.size + this.touchedEdges.size + this.touchedKinds.size > 0;
  }

  /** What must hold of the state that the body leaves. */
  finish(): void {
    checkUnique(this);
  }

  async rehearse(): Promise<void> {
    this.finish();
  }

  async create({id, kind, attributes, isKnown}: NewNode): Promise<NodeRecord> {
    const shape = this.kind(kind);
    if (shape === undefined) throw kindNotFound(kind);
    if (this.find(id) !== undefined || (this.#counters.isUsed(id) && !isKnown))
      throw constraintViolation(`The id ${id} is in use`);
    const unknown = Object.keys(attributes).find(name => shape.attributes.every(item => item.name !== name));
    if (unknown !== undefined) throw validationError(`${kind} has no attribute ${unknown}`);
    const {at} = this;
    const states = shape.attributes.map(item => {
      const state = written(unwritten(undefined, at), attributes[item.name] ?? {});
      return [item.id, {...state, updatedAt: at}] as const;
    });
    const serial = this.#counters.serialOf(id);
    const stamp = this.#counters.nextStamp();
    const item = {
      id,
      kindId: shape.id,
      serial,
      stamp,
      createdAt: at,
      updatedAt: at,
      attributes: new Map(states),
    };
    this.#put(placeOf(shape.scope), 'nodes', id, item);
    this.touchedNodes.add(id);
    return must(this.find(id), id);
  }

  async update(id: NodeId, attributes: AttributeWrites): Promise<NodeRecord> {
    for (const [name, write] of Object.entries(attributes)) {
      const node = this.#existing(id);
      const shape = node.shapeOf(name);
      if (shape === undefined) throw validationError(`${node.kind} has no attribute ${name}`);
      const before = must(node.attribute(name), name);
      const after = written(before, write);
      if (sameState(before, after)) continue;
      const home = placeOf(node.shape.scope);
      const place = placeOf(shape.scope);
      const holder: Part =
        place === home ? node.item : (node.part ?? {stamp: 0, updatedAt: this.at, attributes: new Map()});
      const changed = {
        ...holder,
        stamp: this.#counters.nextStamp(),
        updatedAt: this.at,
        attributes: new Map(holder.attributes).set(shape.id, {...after, updatedAt: this.at}),
      };
      this.#put(place, place === home ? 'nodes' : 'parts', id, changed);
      this.touchedNodes.add(id);
    }
    return this.#existing(id);
  }

  async delete(id: NodeId): Promise<void> {
    const node = this.#existing(id);
    for (const place of ['branch', 'global'] as const) {
      for (const [key, edge] of this.#layer(place).edges) {
        if (edge.from !== id && edge.to !== id) continue;
        this.#remove(place, 'edges', key);
        this.touchedEdges.set(key, [edge.from, edge.to]);
      }
    }
    this.#remove(placeOf(node.shape.scope), 'nodes', id);
    this.#remove('branch', 'parts', id);
    this.touchedNodes.add(id);
  }

  async link(end: EdgeEnd, properties: Partial<EdgeProperties> = {}): Promise<void> {
    const {shape, key} = this.#edge(end);
    const place = placeOf(shape.scope);
    const before = this.#layer(place).edges.get(key);
    const after = {...(before?.properties ?? PLAIN_EDGE), ...properties};
    if (before !== undefined && sameJson({...before.properties}, {...after})) return;
    const [from, to] = shape.direction === 'inbound' ? [end.peer, end.node] : [end.node, end.peer];
    const isDirected = shape.direction !== 'bidirectional';
    const edge = {identifier: shape.identifier, isDirected, from, to, properties: after, updatedAt: this.at};
    this.#put(place, 'edges', key, edge);
    this.touchedEdges.set(key, [from, to]);
  }

  async linkAll(edges: readonly NewEdge[]): Promise<void> {
    for (const {end, properties} of edges) await this.link(end, properties);
  }

  async unlink(end: EdgeEnd): Promise<void> {
    const {shape, key} = this.#edge(end);
    const place = placeOf(shape.scope);
    if (!this.#layer(place).edges.has(key)) return;
    this.#remove(place, 'edges', key);
    this.touchedEdges.set(key, [end.node, end.peer]);
  }

  async putKind(record: KindRecord): Promise<void> {
    const {id} = record.shape;
    const before = this.own.kinds.get(id);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(record)) return;
    this.#put('branch', 'kinds', id, record);
    this.touchedKinds.add(id);
  }

  async dropKind(id: string): Promise<void> {
    if (!this.own.kinds.has(id)) throw kindNotFound(id);
    for (const node of this.all()) if (node.shape.id === id) await this.delete(node.id);
    this.#remove('branch', 'kinds', id);
    this.touchedKinds.add(id);
  }

  /** The model has no tasks: nothing of them can be seen in the graph. */
  async enqueue(_task: NewTask): Promise<TaskId> {
    return 'task' as TaskId;
  }

  async finishTask(_finish: TaskFinish): Promise<void> {}

  describe(message: string): void {
    this.message = message;
  }

  #existing(id: NodeId): ModelNode {
    const node = this.find(id);
    if (node === undefined) throw nodeNotFound('CoreNode', id);
    return node;
  }

  #edge({node, relationship, peer}: EdgeEnd): {readonly shape: RelationshipShape; readonly key: string} {
    const owner = this.#existing(node);
    this.#existing(peer);
    const shape = owner.shape.relationships.find(item => item.name === relationship);
    if (shape === undefined) throw validationError(`${owner.kind} has no relationship ${relationship}`);
    return {shape, key: edgeKey(node, shape, peer)};
  }

  #layer(place: Place): Layer {
    return place === 'global' ? this.global : this.own;
  }

  #put(place: Place, table: keyof Layer, key: string, value: unknown): void {
    const layer = this.#layer(place);
    const changed = new Map(layer[table] as ReadonlyMap<string, unknown>).set(key, value);
    this.#replace(place, {...layer, [table]: changed});
  }

  #remove(place: Place, table: keyof Layer, key: string): void {
    const layer = this.#layer(place);
    const changed = new Map(layer[table] as ReadonlyMap<string, unknown>);
    changed.delete(key);
    this.#replace(place, {...layer, [table]: changed});
  }

  #replace(place: Place, layer: Layer): void {
    if (place === 'global') this.global = layer;
    else this.own = layer;
  }
}

function written(before: AttributeState, write: AttributeWrite): AttributeState {
  const isChosen = write.value === undefined ? {} : {isDefault: false, isFromProfile: false};
  return {...before, ...isChosen, ...write};
}

export function sameState(a: AttributeState, b: AttributeState): boolean {
  return sameJson({...a, updatedAt: 0}, {...b, updatedAt: 0});
}
