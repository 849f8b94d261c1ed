import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import type {AttributeState, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {AttributeShape, KindShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {NOTHING, type Typed} from './compare.ts';
import {type Item, type Part, unwritten} from './layer.ts';

export class ModelNode implements NodeRecord {
  readonly item: Item;
  readonly part: Part | undefined;
  readonly shape: KindShape;

  constructor(item: Item, part: Part | undefined, shape: KindShape) {
    this.item = item;
    this.part = part;
    this.shape = shape;
  }

  get id(): NodeId {
    return this.item.id;
  }

  get kind(): string {
    return this.shape.name;
  }

  get version(): string {
    return `${this.item.stamp}.${this.part?.stamp ?? 0}`;
  }

  get createdAt(): Instant {
    return this.item.createdAt;
  }

  get updatedAt(): Instant {
    return Math.max(this.item.updatedAt, this.part?.updatedAt ?? 0) as Instant;
  }

  isAnswering(kind: string): boolean {
    return this.kind === kind || this.shape.generics.includes(kind);
  }

  shapeOf(name: string): AttributeShape | undefined {
    return this.shape.attributes.find(attribute => attribute.name === name);
  }

  attribute(name: string): AttributeState | undefined {
    const shape = this.shapeOf(name);
    if (shape === undefined) return undefined;
    // An attribute that lives elsewhere than its object starts everywhere from what it was created with.
    const written = this.part?.attributes.get(shape.id) ?? this.item.attributes.get(shape.id);
    return written ?? unwritten(shape.late, this.createdAt);
  }

  value(name: string): Json {
    return this.attribute(name)?.value ?? null;
  }

  /** The value behind a path such as `address__version`; nothing when the kind lacks the attribute. */
  typed(name: string, property: string): Typed {
    const kind = this.shapeOf(name)?.kind;
    if (kind === undefined) return NOTHING;
    const value = pathValue(kind, property, this.value(name));
    return {kind: property === 'value' ? kind : typeof value === 'number' ? 'Number' : 'Text', value};
  }

  states(): AttributeState[] {
    return this.shape.attributes.map(shape => must(this.attribute(shape.name), shape.name));
  }
}
