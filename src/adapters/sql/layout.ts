import type {Json} from '../../base/json.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import {compositeKey, sortKey} from '../../domain/attribute/sort-key.ts';
import type {
  AttributeShape,
  Direction,
  KindShape,
  RelationshipShape,
  UniqueShape,
} from '../../domain/graph/shape.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import type {StoredDocument} from './document.ts';
import {holds} from './document.ts';
import {indexNames, isHome, isIndexed} from './index-names.ts';
import type {Names} from './names.ts';

/** A kind with the small numbers that stand for it in the tables. */
export interface KindLayout {
  readonly record: KindRecord;
  readonly shape: KindShape;
  readonly serial: number;
  readonly slots: ReadonlyMap<string, SlotLayout>;
  readonly relationships: ReadonlyMap<string, RelationshipLayout>;
  /** The index of all objects of the kind in its default order. */
  readonly membership: number;
  readonly indexed: readonly SlotLayout[];
  readonly unique: readonly UniqueLayout[];
  readonly orderSlots: readonly (readonly [slot: SlotLayout, property: string])[];
  /** True when some attributes live on another branch than the object. */
  readonly isMixed: boolean;
}

export interface SlotLayout {
  readonly shape: AttributeShape;
  readonly slot: number;
  /** The index on its value, in the kind's default order; absent when there is none. */
  readonly index: number | undefined;
  /** True when it lives on another branch than the object. */
  readonly isPart: boolean;
}

export interface RelationshipLayout {
  readonly shape: RelationshipShape;
  /** How the edges are marked on this end, and on the other. */
  readonly code: number;
  readonly inverse: number;
}

export interface UniqueLayout {
  readonly shape: UniqueShape;
  readonly serial: number;
  /** What the key of an object is made of, whatever its attributes are called. */
  readonly signature: string;
}

/** The kinds visible at a read point. Immutable, and shared by every point with the same schema key. */
export class GraphLayout {
  readonly key: string;
  readonly kinds: ReadonlyMap<string, KindLayout>;
  readonly bySerial: ReadonlyMap<number, KindLayout>;
  readonly #byGeneric: ReadonlyMap<string, readonly KindLayout[]>;

  constructor(key: string, kinds: Iterable<KindLayout>) {
    this.key = key;
    const sorted = [...kinds].sort((a, b) => (a.shape.name < b.shape.name ? -1 : 1));
    this.kinds = new Map(sorted.map(kind => [kind.shape.name, kind]));
    // While a rebase is under way, a kind and one made anew in its place may have one name.
    this.bySerial = new Map(sorted.map(kind => [kind.serial, kind]));
    const byGeneric = new Map<string, KindLayout[]>();
    for (const kind of this.kinds.values()) {
      for (const generic of kind.shape.generics) {
        const list = byGeneric.get(generic);
        if (list === undefined) byGeneric.set(generic, [kind]);
        else list.push(kind);
      }
    }
    this.#byGeneric = byGeneric;
  }

  /** The node kinds that a kind or generic stands for; empty when the name is unknown. */
  members(name: string): readonly KindLayout[] {
    const kind = this.kinds.get(name);
    return kind === undefined ? (this.#byGeneric.get(name) ?? []) : [kind];
  }
}

const DIRECTION_CODE = {bidirectional: 0, outbound: 1, inbound: 2} as const satisfies Record<
  Direction,
  number
>;

export function edgeCode(names: Names, identifier: string, direction: Direction): number {
  return names.serial('relationship', identifier) * 4 + DIRECTION_CODE[direction];
}

export const inverseCode = (code: number): number => {
  const direction = code & 3;
  return direction === 1 ? code + 1 : direction === 2 ? code - 1 : code;
};

export function layoutKind(record: KindRecord, names: Names): KindLayout {
  const {shape} = record;
  const serial = names.serial('kind', shape.id);
  const byName = new Map(shape.attributes.map(attribute => [attribute.name, attribute]));
  const indexes = indexNames(serial, shape);
  const slots = new Map<string, SlotLayout>();
  for (const attribute of shape.attributes) {
    const isPart = !isHome(shape.scope, attribute.scope);
    slots.set(attribute.name, {
      shape: attribute,
      slot: names.slot(serial, attribute.id),
      index: isIndexed(shape, attribute) ? names.serial('index', indexes.of(attribute)) : undefined,
      isPart,
    });
  }
  const relationships = new Map<string, RelationshipLayout>();
  for (const relationship of shape.relationships) {
    const code = edgeCode(names, relationship.identifier, relationship.direction);
    relationships.set(relationship.name, {shape: relationship, code, inverse: inverseCode(code)});
  }
  const all = [...slots.values()];
  return {
    record,
    shape,
    serial,
    slots,
    relationships,
    membership: names.serial('index', indexes.membership),
    indexed: all.filter(slot => slot.index !== undefined),
    unique: shape.unique.map(unique => ({
      shape: unique,
      serial: names.serial('unique', unique.id),
      signature: unique.parts
        .map(part =>
          part.is === 'attribute'
            ? `${byName.get(part.name)?.id}.${part.property}`
            : `~${relationships.get(part.name)?.code}`,
        )
        .join(),
    })),
    orderSlots: shape.orderBy.flatMap(path => {
      const slot = slots.get(path.attribute);
      return slot === undefined ? [] : [[slot, path.property] as const];
    }),
    isMixed: all.some(slot => slot.isPart),
  };
}

export const slotValue = (document: StoredDocument, slot: SlotLayout): Json =>
  holds(document, slot.slot) ? (document.v[slot.slot] ?? null) : (slot.shape.late ?? null);

/** The key by which a value sorts and is found; of a property such as an address's version, that property's. */
export function valueKey(attribute: AttributeShape, property: string, value: Json): string {
  if (property === 'value' || value === null) return sortKey(attribute.kind, value);
  const part = pathValue(attribute.kind, property, value);
  return sortKey(typeof part === 'number' ? 'Number' : 'Text', part);
}

export function orderKey(layout: KindLayout, document: StoredDocument): string {
  const {orderSlots} = layout;
  if (orderSlots.length === 0) return '';
  if (orderSlots.length === 1) {
    const [slot, property] = orderSlots[0]!;
    return valueKey(slot.shape, property, slotValue(document, slot));
  }
  return compositeKey(
    orderSlots.map(([slot, property]) => valueKey(slot.shape, property, slotValue(document, slot))),
  );
}
