import {kindNotFound, validationError} from '../../domain/errors.ts';
import type {AttributeWrites, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {objectsMadeMax} from '../../domain/node/limits.ts';
import type {KindFacts, SchemaFacts} from '../../domain/node/schema-facts.ts';
import {factsOf} from '../../domain/node/schema-facts.ts';
import {concreteKindOf, implementations, kindOf} from '../../domain/schema/lookup.ts';
import type {RelationshipSchema, Schema} from '../../domain/schema/schema.ts';
import type {Draft} from '../../ports/graph-store.ts';
import type {WriteScope} from '../write.ts';
import {type FoundPeers, foundPeersOf} from './found-peers.ts';

/** An object, as far as edges need to know it. */
export interface Placed {
  readonly id: NodeId;
  readonly kind: string;
}

/** One end of edges that a verb has added or ended. */
export interface TouchedEnd {
  readonly node: NodeId;
  readonly kind: string;
  readonly relationship: RelationshipSchema;
  gained: boolean;
  lost: boolean;
  /** The number of peers is not known to be right. */
  mustCount: boolean;
}

export type EndChange = 'gained' | 'lost';

/**
 * One verb under way: what it has touched, and so what must be checked and worked out again before it ends.
 * Nothing here decides; `settle` does, once all steps of the verb are written.
 */
export class NodeWork {
  readonly scope: WriteScope;
  readonly draft: Draft;
  readonly schema: Schema;
  readonly facts: SchemaFacts;
  readonly found: FoundPeers;
  /** Objects that this verb made, with their kinds. */
  readonly made = new Map<NodeId, string>();
  readonly deleted = new Set<NodeId>();
  readonly ends = new Map<string, TouchedEnd>();
  readonly values = new Map<NodeId, {readonly kind: string; readonly names: Set<string>}>();
  /** Objects as this verb last saw them. */
  readonly #records = new Map<NodeId, NodeRecord>();

  constructor(scope: WriteScope) {
    this.scope = scope;
    this.draft = scope.draft;
    this.schema = scope.schema;
    this.facts = factsOf(scope.schema);
    this.found = foundPeersOf(scope.draft, scope.schema);
  }

  /** A kind that objects can be made of. */
  concreteKind(name: string): KindFacts {
    if (concreteKindOf(this.schema, name) !== undefined) return this.facts.kind(name);
    if (kindOf(this.schema, name) === undefined) throw kindNotFound(name);
    const kinds = implementations(this.schema, name);
    throw validationError(`${name} is a generic and has no objects of its own; name one of its kinds`, {
      kind: name,
      kinds: kinds.slice(0, 20),
    });
  }

  async create(id: NodeId, kind: string, attributes: AttributeWrites): Promise<NodeRecord> {
    if (this.made.size === objectsMadeMax) {
      throw validationError(`One request may make at most ${objectsMadeMax} objects; split it`);
    }
    const node = await this.draft.create({id, kind, attributes});
    this.made.set(id, kind);
    this.found.forget(kind);
    this.remember(node);
    return node;
  }

  async update(id: NodeId, writes: AttributeWrites): Promise<NodeRecord> {
    const node = await this.draft.update(id, writes);
    this.found.forget(node.kind);
    this.remember(node);
    return node;
  }

  async delete({id, kind}: Placed): Promise<void> {
    this.deleted.add(id);
    await this.draft.delete(id);
    this.found.forget(kind);
  }

  remember(node: NodeRecord): void {
    this.#records.set(node.id, node);
  }

  /** The object as it stands, read only when this verb has not seen it yet. */
  async node(id: NodeId): Promise<NodeRecord | undefined> {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const node = await this.draft.node(id);
    if (node !== undefined) this.remember(node);
    return node;
  }

  touchValues({id, kind}: Placed, names: Iterable<string>): void {
    const known = this.values.get(id);
    if (known === undefined) this.values.set(id, {kind, names: new Set(names)});
    else for (const name of names) known.names.add(name);
  }

  touchEnd(
    {id, kind}: Placed,
    relationship: RelationshipSchema,
    change: EndChange,
    mustCount: boolean,
  ): void {
    const key = `${id} ${relationship.name}`;
    const known = this.ends.get(key);
    const end = known ?? {node: id, kind, relationship, gained: false, lost: false, mustCount: false};
    end[change] = true;
    end.mustCount ||= mustCount;
    this.ends.set(key, end);
  }
}
