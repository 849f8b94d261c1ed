import type {Json} from '../../base/json.ts';
import {canonicalJson} from '../../base/json.ts';
import {constraintViolation, kindNotFound, nodeNotFound, validationError} from '../../domain/errors.ts';
import type {AttributeState, AttributeWrites, EdgeEnd, EdgeProperties} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Scope} from '../../domain/graph/shape.ts';
import type {Neighbour, NewEdge, NewNode} from '../../ports/graph-store.ts';
import {firstState, holds, makeDocument, sameState, slotState, statesOf, writtenState} from './document.ts';
import type {DraftState, Identity} from './draft-state.ts';
import type {HalfEdge} from './edge-writer.ts';
import {endEdge, endEdgesOf, putEdge} from './edge-writer.ts';
import {KeySettlement} from './key-settlement.ts';
import type {KindLayout, RelationshipLayout} from './layout.ts';
import {neighboursOfNode} from './neighbours.ts';
import {refuseDoubles} from './new-constraints.ts';
import {
  copyVersion,
  endVersion,
  liftTombstone,
  openVersion,
  replaceVersion,
  writePart,
} from './node-writer.ts';
import type {Work} from './statement.ts';
import {blind, change, isChanged} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import {usesAttributes, usesRelationship} from './unique-keys.ts';

/** Edges whose ends are looked up together. */
const EDGES_PER_LOOK = 1000;
const NEW_NODE = 'INSERT INTO node (id, uuid) VALUES (?1, ?2) ON CONFLICT (uuid) DO NOTHING';

/** The steps of one write. Each is on the tables when it returns; unique keys are settled by `finish`. */
export class DraftWork {
  readonly state: DraftState;
  readonly keys: KeySettlement;
  /** Nodes made by this write: they have no edges but its own. */
  readonly #made = new Set<number>();

  constructor(state: DraftState) {
    this.state = state;
    this.keys = new KeySettlement(state);
  }

  *create(request: NewNode): Work<StoredNode> {
    const {state} = this;
    const layout = this.#kind(request.kind);
    const serial = yield* this.#newSerial(request, layout);
    const states: (AttributeState | undefined)[] = [];
    for (const [name, {slot}] of layout.slots) {
      const write = request.attributes[name];
      states[slot] = firstState(write === undefined ? undefined : settled(write), state.at);
    }
    this.#refuseUnknown(layout, request.attributes);
    this.keys.expect(serial, request.id);
    state.unseen.delete(request.id);
    if (layout.isMixed) state.identify(request.id, {serial, layout});
    const document = makeDocument(request.id, state.at, state.at, states);
    const node = yield* openVersion(state, serial, layout, document);
    state.weighAll(layout);
    state.meet(node);
    return node;
  }

  *update(id: NodeId, writes: AttributeWrites): Work<StoredNode> {
    const node = yield* this.node(id);
    this.state.refuseClaimed(id, node.serial);
    this.#refuseUnknown(node.layout, writes);
    const isOwn = node.branch === this.state.home(node.layout.shape.scope);
    if (!isOwn || usesAttributes(node.layout, Object.keys(writes))) yield* this.#rememberKeys([node]);
    const home = yield* this.#updateHome(node, writes);
    this.state.meet(home);
    return node.layout.isMixed ? yield* this.#updatePart(home, writes) : home;
  }

  *delete(id: NodeId): Work<void> {
    const node = yield* this.node(id);
    this.state.refuseNeeded(id, node.serial);
    this.state.identities.delete(id);
    this.state.met.delete(id);
    yield* this.#rememberKeys([node]);
    const isAgnostic = node.layout.shape.scope === 'agnostic';
    if (!this.#made.has(node.serial)) yield* this.#rememberPeerKeys(node);
    yield* endEdgesOf(this.state, node.serial, isAgnostic);
    yield* endVersion(this.state, node);
    this.state.weighAll(node.layout);
  }

  *link(end: EdgeEnd, properties: Partial<EdgeProperties>): Work<void> {
    const {half, keyedIds, scope} = yield* this.#half(end);
    const keyed = keyedIds.length === 0 ? [] : yield* this.#keyed(keyedIds);
    const isMade = this.#made.has(half.source) || this.#made.has(half.target);
    const isFresh = isMade && !this.state.hasTouchedEdge(half.source, half.code, half.target);
    const isPut = yield* putEdge(this.state, half, properties, isFresh);
    if (isPut) this.state.weigh(scope);
    if (isPut && keyed.length > 0) yield* this.#ownKeys(keyed);
  }

  *linkAll(edges: readonly NewEdge[]): Work<void> {
    for (let from = 0; from < edges.length; from += EDGES_PER_LOOK) {
      const some = edges.slice(from, from + EDGES_PER_LOOK);
      yield* this.#identifyEnds(some);
      for (const {end, properties = {}} of some) yield* this.link(end, properties);
    }
  }

  *unlink(end: EdgeEnd): Work<void> {
    const {half, keyedIds, scope} = yield* this.#half(end);
    const keyed = yield* this.#keyed(keyedIds);
    if (!(yield* endEdge(this.state, half))) return;
    this.state.weigh(scope);
    yield* this.#ownKeys(keyed);
  }

  *node(id: NodeId): Work<StoredNode> {
    const node = yield* this.find(id);
    if (node === undefined) throw nodeNotFound('CoreNode', id);
    return node;
  }

  *find(id: NodeId): Work<StoredNode | undefined> {
    const {met, unseen} = this.state;
    const known = met.get(id);
    if (known !== undefined || unseen.has(id)) return known;
    const node = yield* this.state.reader.node(id);
    if (node !== undefined) this.state.meet(node);
    return node;
  }

  *neighbours(id: NodeId, relationship: string): Work<readonly Neighbour[]> {
    return yield* neighboursOfNode(this.state.reader, yield* this.find(id), relationship);
  }

  /** Many at the cost of a few statements; those that are not there are left out. */
  *findAll(ids: readonly NodeId[]): Work<ReadonlyMap<NodeId, StoredNode>> {
    const {met, unseen, reader} = this.state;
    const found = new Map<NodeId, StoredNode>();
    const missing: NodeId[] = [];
    for (const id of ids) {
      const known = met.get(id);
      if (known !== undefined) found.set(id, known);
      else if (!unseen.has(id)) missing.push(id);
    }
    if (missing.length === 0) return found;
    const {nodes, serials} = yield* reader.look(missing);
    for (const [id, node] of nodes) {
      found.set(id, node);
      this.state.meet(node);
    }
    for (const id of missing) if (!found.has(id)) unseen.set(id, serials.get(id));
    return found;
  }

  /** Settles what holds of the state that the write leaves. */
  *finish(): Work<void> {
    const {state} = this;
    if (state.touchedKinds.size > 0) yield* refuseDoubles(state);
    yield* this.keys.settle();
    if (state.names.hasNew) yield* state.names.save();
  }

  #kind(name: string): KindLayout {
    const layout = this.state.layout.kinds.get(name);
    if (layout === undefined) throw kindNotFound(name);
    return layout;
  }

  *#newSerial(request: NewNode, layout: KindLayout): Work<number> {
    const {state} = this;
    const {id} = request;
    const fresh = state.counters.node + 1;
    const inUse = () => constraintViolation(`The id ${id} is in use, on this branch or another`, {id});
    if (request.isKnown !== true) yield blind(NEW_NODE, [fresh, id], inUse);
    const known = request.isKnown === true ? yield* this.#knownSerial(id, fresh) : fresh;
    if (known === fresh) {
      state.counters.node = fresh;
      this.#made.add(fresh);
      return fresh;
    }
    state.refuseClaimed(id, known);
    if ((yield* this.find(id)) !== undefined) throw inUse();
    yield* liftTombstone(state, known, state.home(layout.shape.scope));
    return known;
  }

  /** The node that the id stands for already; the fresh one when it stands for none. */
  *#knownSerial(id: NodeId, fresh: number): Work<number> {
    const known = this.state.unseen.get(id);
    if (known !== undefined) return known;
    if (isChanged(yield change(NEW_NODE, [fresh, id]))) return fresh;
    return (yield* this.state.reader.serialsOf([id])).get(id)!;
  }

  *#updateHome(node: StoredNode, writes: AttributeWrites): Work<StoredNode> {
    const {state} = this;
    const states = statesOf(node.document, node.since);
    let isChanged = false;
    for (const [name, write] of Object.entries(writes)) {
      const slot = node.layout.slots.get(name)!;
      if (slot.isPart) continue;
      const before = states[slot.slot] ?? slotState(node.document, node.since, slot.slot, slot.shape.late);
      const after = writtenState(before, settled(write), state.at);
      if (after === before) continue;
      states[slot.slot] = after;
      isChanged = true;
      state.weigh(slot.shape.scope);
    }
    if (!isChanged) return node;
    const document = makeDocument(node.id, node.document.c, state.at, states);
    return (yield* replaceVersion(state, node, document)).withPart(node.part);
  }

  *#updatePart(node: StoredNode, writes: AttributeWrites): Work<StoredNode> {
    const {state} = this;
    const {part} = node;
    const states: (AttributeState | undefined)[] = [];
    let isChanged = false;
    for (const [name, slot] of node.layout.slots) {
      if (!slot.isPart) continue;
      if (part !== undefined && holds(part.document, slot.slot)) {
        states[slot.slot] = slotState(part.document, part.since, slot.slot, undefined);
      }
      const write = writes[name];
      if (write === undefined) continue;
      const before = node.attribute(name)!;
      const after = writtenState(before, settled(write), state.at);
      if (sameState(before, after)) continue;
      states[slot.slot] = after;
      isChanged = true;
      state.weigh(slot.shape.scope);
    }
    if (!isChanged) return node;
    return yield* writePart(state, node, makeDocument(node.id, node.document.c, state.at, states));
  }

  *#rememberKeys(nodes: readonly StoredNode[]): Work<void> {
    for (const node of nodes) if (node.layout.unique.length > 0) yield* this.keys.remember(node);
  }

  /** Peers whose unique keys name the node lose them with it. */
  *#rememberPeerKeys(node: StoredNode): Work<void> {
    const isNamed = [...this.state.layout.kinds.values()].some(kind =>
      kind.unique.some(({shape}) => shape.parts.some(part => part.is === 'relationship')),
    );
    if (!isNamed) return;
    for (const relationship of node.layout.relationships.values()) {
      const levels =
        relationship.shape.scope === 'agnostic' ? this.state.lineage.global : this.state.lineage.branch;
      const edges = yield* this.state.reader.edges([node.serial], relationship.code, levels);
      const peers = yield* this.state.reader.load(
        yield* this.state.reader.versions(edges.map(edge => edge.target)),
      );
      for (const peer of peers) {
        const names = [...peer.layout.relationships.values()].filter(
          item => item.code === relationship.inverse,
        );
        if (names.some(item => usesRelationship(peer.layout, item.shape.name))) {
          yield* this.#rememberKeys([peer]);
          yield* this.#ownKeys([peer]);
        }
      }
    }
  }

  /** A node whose key changes through an edge gets its own version on the branch, which hides the old key. */
  *#ownKeys(nodes: readonly StoredNode[]): Work<void> {
    for (const node of nodes) {
      if (node.branch === this.state.home(node.layout.shape.scope)) continue;
      this.state.refuseClaimed(node.id, node.serial);
      this.state.met.delete(node.id);
      yield* copyVersion(this.state, node);
    }
  }

  *#half(end: EdgeEnd): Work<{half: HalfEdge; keyedIds: readonly NodeId[]; scope: Scope}> {
    const source = this.#known(end.node) ?? (yield* this.#identity(end.node));
    const target = this.#known(end.peer) ?? (yield* this.#identity(end.peer));
    const relationship = source.layout.relationships.get(end.relationship);
    if (relationship === undefined) {
      const kind = source.layout.shape.name;
      throw validationError(`${kind} has no relationship ${end.relationship}`, {kind});
    }
    this.state.refuseClaimed(end.node, source.serial);
    this.state.refuseClaimed(end.peer, target.serial);
    this.state.kindsOfTouched.add(source.layout.shape).add(target.layout.shape);
    const {scope} = relationship.shape;
    const isAgnostic = scope === 'agnostic';
    const half = {source: source.serial, code: relationship.code, target: target.serial, isAgnostic};
    const keyedIds = usesRelationship(source.layout, relationship.shape.name) ? [end.node] : [];
    if (source.serial !== target.serial && usesInverse(target.layout, relationship)) keyedIds.push(end.peer);
    return {half, keyedIds, scope};
  }

  *#identifyEnds(edges: readonly NewEdge[]): Work<void> {
    const unknown = new Set<NodeId>();
    for (const {end} of edges) {
      if (this.#known(end.node) === undefined) unknown.add(end.node);
      if (this.#known(end.peer) === undefined) unknown.add(end.peer);
    }
    if (unknown.size < 2) return;
    for (const [id, found] of yield* this.state.reader.identifyAll([...unknown]))
      this.state.identify(id, found);
  }

  #known(id: NodeId): Identity | undefined {
    return this.state.met.get(id) ?? this.state.identities.get(id);
  }

  *#identity(id: NodeId): Work<Identity> {
    const found = yield* this.state.reader.identify(id);
    if (found === undefined) throw nodeNotFound('CoreNode', id);
    this.state.identify(id, found);
    return found;
  }

  /** Nodes whose unique keys may change, remembered as they are now. */
  *#keyed(ids: readonly NodeId[]): Work<readonly StoredNode[]> {
    const nodes: StoredNode[] = [];
    for (const id of ids) nodes.push(yield* this.node(id));
    yield* this.#rememberKeys(nodes);
    return nodes;
  }

  #refuseUnknown(layout: KindLayout, writes: AttributeWrites): void {
    for (const name of Object.keys(writes)) {
      if (!layout.slots.has(name)) {
        throw validationError(`${layout.shape.name} has no attribute ${name}`, {
          kind: layout.shape.name,
          attribute: name,
        });
      }
    }
  }
}

/** True when the unique keys of a kind name the other end of the relationship. */
function usesInverse(layout: KindLayout, relationship: RelationshipLayout): boolean {
  if (layout.unique.length === 0) return false;
  for (const other of layout.relationships.values()) {
    if (other.code === relationship.inverse && usesRelationship(layout, other.shape.name)) return true;
  }
  return false;
}

/** Structured values are stored in canonical form, so that equal values are equal text. */
function settled<T extends {readonly value?: Json}>(write: T): T {
  const {value} = write;
  if (value === undefined || value === null || typeof value !== 'object') return write;
  return {...write, value: JSON.parse(canonicalJson(value)) as Json};
}
