import type {AttributeKind} from '../../attribute/kinds.ts';
import type {SchemaProblem} from '../problem.ts';
import type {AttributeSchema, ConcreteSchema, RelationshipSchema, UniquenessConstraint} from '../schema.ts';

/**
 * One consequence that a change of schema has for the objects of a kind.
 *
 * `constraint`, where there is one, names what existing objects must satisfy; a variant without it needs
 * no look at the data. `kind` is a concrete kind under its name after the change.
 */
export type SchemaChange =
  /** The change is not possible at all. */
  | {readonly is: 'refused'; readonly problem: SchemaProblem}
  | {readonly is: 'kind-added'; readonly kind: string}
  /** Ends all its objects. */
  | {readonly is: 'kind-removed'; readonly kind: string; readonly before: ConcreteSchema}
  | {readonly is: 'kind-renamed'; readonly kind: string; readonly from: string}
  /** Removing a generic is refused while there are objects. */
  | {
      readonly is: 'generics-changed';
      readonly kind: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly constraint: 'node.inherit_from.update';
    }
  /** Refused while there are objects if `needsValue`: nothing could fill it. */
  | {
      readonly is: 'attribute-added';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly needsValue: boolean;
      readonly constraint: 'node.attribute.add';
    }
  | {readonly is: 'attribute-removed'; readonly kind: string; readonly attribute: AttributeSchema}
  | {
      readonly is: 'attribute-renamed';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly from: string;
    }
  /** Another generic now supplies the attribute of this name: its values go from one id to the other. */
  | {
      readonly is: 'attribute-moved';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly before: AttributeSchema;
    }
  /** Every value must be valid for the new kind, converted where that is possible. */
  | {
      readonly is: 'attribute-kind-changed';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly from: AttributeKind;
      readonly constraint: 'attribute.kind.update';
    }
  /** Every value but null must pass `checkValue` with the attribute as it is now. */
  | {
      readonly is: 'attribute-tightened';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly property: string;
      readonly constraint: AttributeConstraint;
    }
  /** No object may lack a value. */
  | {
      readonly is: 'attribute-made-mandatory';
      readonly kind: string;
      readonly attribute: AttributeSchema;
      readonly constraint: 'attribute.optional.update';
    }
  /** No two objects of the scope may share the values. */
  | {
      readonly is: 'uniqueness-added';
      /** The kind or generic within which the values are unique. */
      readonly kind: string;
      readonly uniqueness: UniquenessConstraint;
      readonly constraint: 'attribute.unique.update' | 'node.uniqueness_constraints.update';
    }
  /** Refused while there are objects if `needsPeer`. */
  | {
      readonly is: 'relationship-added';
      readonly kind: string;
      readonly relationship: RelationshipSchema;
      readonly needsPeer: boolean;
      readonly constraint: 'node.relationship.add';
    }
  | {readonly is: 'relationship-removed'; readonly kind: string; readonly relationship: RelationshipSchema}
  /** Every peer must be of the new peer kind. */
  | {
      readonly is: 'relationship-peer-changed';
      readonly kind: string;
      readonly relationship: RelationshipSchema;
      readonly from: string;
      readonly constraint: 'relationship.peer.update';
    }
  /** The number of peers of every object must lie between `min_count` and `max_count` (0: unbounded). */
  | {
      readonly is: 'relationship-counts-tightened';
      readonly kind: string;
      readonly relationship: RelationshipSchema;
      readonly constraint: RelationshipCountConstraint;
    }
  /** Each peer must have the same parent as the object itself. */
  | {
      readonly is: 'common-parent-required';
      readonly kind: string;
      readonly relationship: RelationshipSchema;
      readonly constraint: 'relationship.common_parent.update';
    }
  /** Existing edges up (`parent`) or down (`children`) must lead to `allowed`; `''`: there may be none. */
  | {
      readonly is: 'hierarchy-changed';
      readonly kind: string;
      readonly relationship: 'parent' | 'children';
      readonly allowed: string;
      readonly constraint: 'node.parent.update' | 'node.children.update';
    }
  /** Refused while there are profiles of the kind; else the profile kind goes. */
  | {
      readonly is: 'profile-dropped';
      readonly kind: string;
      readonly profile: string;
      readonly constraint: 'node.generate_profile.update';
    };

export type AttributeConstraint =
  | 'attribute.regex.update'
  | 'attribute.min_length.update'
  | 'attribute.max_length.update'
  | 'attribute.enum.update'
  | 'attribute.choices.update'
  | `attribute.parameters.${string}.update`;

export type RelationshipCountConstraint =
  | 'relationship.cardinality.update'
  | 'relationship.min_count.update'
  | 'relationship.max_count.update'
  | 'relationship.optional.update';
