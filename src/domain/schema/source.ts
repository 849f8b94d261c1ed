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

/**
 * The schema as it is stored and versioned: what was declared, and nothing that follows from it.
 * Inherited fields, generated relationships, labels and counts appear when it is processed.
 */
export type SchemaSource = {
  /** By the name of the kind. */
  readonly kinds: ReadonlyMap<string, KindDefinition>;
  /** How often a kind name, or `<kind id>.<field name>`, was given up by a removal or a rename. */
  readonly retired: Readonly<Record<string, number>>;
};

export type KindDefinition = NodeDefinition | GenericDefinition;

type KindDefinitionCommon = {
  /** Survives renames; the same kind born on two branches has the same. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly label: string | null;
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
  readonly generate_profile: boolean;
  readonly generate_template: boolean;
  readonly attributes: readonly AttributeDefinition[];
  readonly relationships: readonly RelationshipDefinition[];
};

export type NodeDefinition = KindDefinitionCommon & {
  readonly type: 'node';
  readonly inherit_from: readonly string[];
  readonly hierarchy: string | null;
  /** The kind, `''` for none allowed, null for the hierarchy's generic. */
  readonly parent: string | null;
  readonly children: string | null;
  /**
   * By attribute id: every attribute, own or inherited, that joined the kind after its birth, with what
   * objects show that were written before (the default of that time, or null).
   */
  readonly late: Readonly<Record<string, Json>>;
};

export type GenericDefinition = KindDefinitionCommon & {
  readonly type: 'generic';
  readonly hierarchical: boolean;
  readonly restricted_namespaces: readonly string[] | null;
};

type FieldDefinitionCommon = {
  /** Survives renames. A node that overrides a generic's field shares the generic's id. */
  readonly id: string;
  readonly name: string;
  readonly label: string | null;
  readonly description: string | null;
  readonly order_weight: number;
  readonly deprecation: string | null;
  readonly display: string | null;
  readonly branch: BranchSupport | null;
  readonly optional: boolean;
  readonly read_only: boolean;
  readonly allow_override: Override;
};

export type ChoiceDefinition = {
  readonly name: string;
  readonly label: string | null;
  readonly color: string;
  readonly description: string | null;
};

export type AttributeDefinition = FieldDefinitionCommon & {
  readonly kind: AttributeKind;
  /** Null: no default. */
  readonly default_value: Json;
  readonly unique: boolean;
  readonly enum: readonly Json[] | null;
  readonly choices: readonly ChoiceDefinition[] | null;
  readonly parameters: AttributeParameters;
  readonly computed_attribute: ComputedAttribute | null;
};

export type RelationshipDefinition = FieldDefinitionCommon & {
  readonly peer: string;
  readonly kind: RelationshipKind;
  /** Fixed at birth, so that a later rename of a kind does not cut the edges. */
  readonly identifier: string;
  readonly cardinality: Cardinality;
  readonly min_count: number;
  readonly max_count: number;
  readonly common_parent: string | null;
  readonly common_relatives: readonly string[] | null;
  readonly direction: Direction;
  readonly on_delete: DeleteBehaviour | null;
};

export type FieldDefinition = AttributeDefinition | RelationshipDefinition;

export const kindName = (kind: {readonly namespace: string; readonly name: string}): string =>
  kind.namespace + kind.name;

export const EMPTY_SOURCE: SchemaSource = {kinds: new Map(), retired: {}};
