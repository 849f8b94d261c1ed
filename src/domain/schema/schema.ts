import type {Json} from '../../base/json.ts';
import type {AttributeParameters} from '../attribute/check-value.ts';
import type {AttributeKind} from '../attribute/kinds.ts';
import type {
  BranchSupport,
  Cardinality,
  ComputedAttribute,
  DeleteBehaviour,
  Direction,
  Override,
  RelationshipKind,
} from './vocabulary.ts';

/** A schema with everything said: inherited and generated parts in place, every default explicit. */
export type Schema = {
  /** Equal for equal schemas on every machine and branch. */
  readonly hash: string;
  readonly nodes: ReadonlyMap<string, NodeSchema>;
  /** Generic object templates (namespace `Template`) included. */
  readonly generics: ReadonlyMap<string, GenericSchema>;
  readonly profiles: ReadonlyMap<string, ProfileSchema>;
  readonly templates: ReadonlyMap<string, TemplateSchema>;
  readonly namespaces: readonly Namespace[];
};

export type Namespace = {readonly name: string; readonly user_editable: boolean};

export type KindSchema = NodeSchema | GenericSchema | ProfileSchema | TemplateSchema;

/** A kind that has objects of its own. */
export type ConcreteSchema = NodeSchema | ProfileSchema | TemplateSchema;

export type KindSchemaCommon = {
  readonly id: string;
  /** Namespace and name in one. */
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly hash: string;
  readonly label: string;
  readonly description: string | null;
  readonly branch: BranchSupport;
  readonly human_friendly_id: readonly string[] | null;
  readonly display_label: string | null;
  readonly display_labels: readonly string[] | null;
  readonly default_filter: string | null;
  readonly order_by: readonly string[] | null;
  readonly uniqueness_constraints: readonly (readonly string[])[] | null;
  readonly include_in_menu: boolean;
  readonly menu_placement: string | null;
  readonly icon: string | null;
  readonly documentation: string | null;
  /** Own first, in declared order, then inherited. */
  readonly attributes: readonly AttributeSchema[];
  readonly relationships: readonly RelationshipSchema[];
  /** Attributes and relationships by name. */
  readonly fields: ReadonlyMap<string, FieldSchema>;
  /** Every constraint to enforce: the kind's own and those of each generic it inherits from. */
  readonly uniqueness: readonly UniquenessConstraint[];
};

export type NodeSchema = KindSchemaCommon & {
  readonly type: 'node';
  readonly inherit_from: readonly string[];
  readonly hierarchy: string | null;
  /** Null: no hierarchy. `''`: none allowed. */
  readonly parent: string | null;
  readonly children: string | null;
  readonly generate_profile: boolean;
  readonly generate_template: boolean;
  /** See `NodeDefinition.late`. */
  readonly late: ReadonlyMap<string, Json>;
};

export type GenericSchema = KindSchemaCommon & {
  readonly type: 'generic';
  readonly hierarchical: boolean;
  readonly generate_profile: boolean;
  readonly generate_template: boolean;
  /** The concrete kinds that answer to it, sorted. */
  readonly used_by: readonly string[];
  readonly restricted_namespaces: readonly string[] | null;
};

export type ProfileSchema = KindSchemaCommon & {
  readonly type: 'profile';
  readonly inherit_from: readonly string[];
  /** The kind whose objects may use it. */
  readonly profiledKind: string;
};

export type TemplateSchema = KindSchemaCommon & {
  readonly type: 'template';
  readonly inherit_from: readonly string[];
  /** The kind whose objects it is a model of. */
  readonly templatedKind: string;
};

type FieldSchemaCommon = {
  /** Survives renames; an inherited field has the id of the generic's. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly order_weight: number;
  readonly deprecation: string | null;
  readonly display: string | null;
  readonly branch: BranchSupport;
  readonly optional: boolean;
  readonly read_only: boolean;
  readonly allow_override: Override;
  readonly inherited: boolean;
  /**
   * The kind that declares it: the generic for an inherited field, else the kind itself. An attribute of
   * a profile names the declarer of the one it stands for.
   */
  readonly declaredBy: string;
};

export type ChoiceSchema = {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly description: string;
};

export type AttributeSchema = FieldSchemaCommon & {
  readonly is: 'attribute';
  readonly kind: AttributeKind;
  /** In stored form; null: no default. */
  readonly default_value: Json;
  readonly unique: boolean;
  readonly enum: readonly Json[] | null;
  readonly choices: readonly ChoiceSchema[] | null;
  readonly parameters: AttributeParameters;
  readonly computed_attribute: ComputedAttribute | null;
};

export type RelationshipSchema = FieldSchemaCommon & {
  readonly is: 'relationship';
  readonly peer: string;
  readonly kind: RelationshipKind;
  readonly identifier: string;
  readonly cardinality: Cardinality;
  readonly min_count: number;
  /** 0: unbounded. */
  readonly max_count: number;
  readonly common_parent: string | null;
  readonly common_relatives: readonly string[] | null;
  readonly direction: Direction;
  readonly on_delete: DeleteBehaviour;
  /** The generic whose hierarchy the relationship belongs to. */
  readonly hierarchical: string | null;
};

export type FieldSchema = AttributeSchema | RelationshipSchema;

/** No two objects of the scope share all parts; an object with a null part is free. */
export type UniquenessConstraint = {
  /** Survives renames; equal for every kind that the constraint spans. */
  readonly id: string;
  readonly paths: readonly string[];
  /** The kind within which the parts are unique: the kind itself, or a generic of it. */
  readonly scope: string;
};
