import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../attribute/kinds.ts';

/**
 * The part of a schema that the store must know: how objects of a kind are laid out, indexed, ordered and
 * kept unique. A shape is derived from the processed schema and stored beside its definition, so that the
 * store never learns the schema language.
 */
export interface KindShape {
  /** Survives a rename of the kind. */
  readonly id: string;
  readonly name: string;
  /** Every generic that objects of this kind answer to, `CoreNode` included. */
  readonly generics: readonly string[];
  readonly scope: Scope;
  readonly attributes: readonly AttributeShape[];
  readonly relationships: readonly RelationshipShape[];
  /** The default order, by the kind's own attributes; ties go to the object created first. */
  readonly orderBy: readonly OrderPath[];
  readonly unique: readonly UniqueShape[];
}

/** Where a thing lives: on the branch, on every branch at once, or on the branch and never merged. */
export type Scope = 'aware' | 'agnostic' | 'local';

export interface AttributeShape {
  /** Survives a rename of the attribute; an attribute removed and added again has a new one. */
  readonly id: string;
  readonly name: string;
  readonly kind: AttributeKind;
  readonly scope: Scope;
  readonly indexed: boolean;
  /**
   * What objects show that were written before the attribute joined their kind.
   * Absent for attributes as old as the kind, which every object has.
   */
  readonly late?: Json;
}

export interface RelationshipShape {
  readonly name: string;
  /** Both ends of an edge share it. */
  readonly identifier: string;
  readonly direction: Direction;
  /** The kind or generic at the other end. */
  readonly peer: string;
  readonly cardinality: 'one' | 'many';
  readonly scope: Scope;
}

export type Direction = 'bidirectional' | 'outbound' | 'inbound';

export interface OrderPath {
  readonly attribute: string;
  readonly property: string;
}

/** No two objects share all parts; an object with a null part is free. */
export interface UniqueShape {
  /** Equal for all kinds that the constraint spans: those of a generic share the generic's. */
  readonly id: string;
  readonly parts: readonly UniquePart[];
}

export type UniquePart =
  | {readonly is: 'attribute'; readonly name: string; readonly property: string}
  | {readonly is: 'relationship'; readonly name: string};

export const opposite = (direction: Direction): Direction =>
  direction === 'outbound' ? 'inbound' : direction === 'inbound' ? 'outbound' : 'bidirectional';
