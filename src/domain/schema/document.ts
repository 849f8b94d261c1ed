import type {Json} from '../../base/json.ts';
import type {AttributeParameters} from '../attribute/check-value.ts';
import type {AttributeKind} from '../attribute/kinds.ts';
import type {Location} from './problem.ts';
import type {
  BranchSupport,
  Cardinality,
  ComputedAttribute,
  DeleteBehaviour,
  Direction,
  Override,
  RelationshipKind,
  State,
} from './vocabulary.ts';

/**
 * What a request asks for: every root of it in one, shapes checked, meaning not yet.
 *
 * A property that the request leaves out, or sets to null, is absent: what that means (keep or reset) is
 * decided where the document meets the stored schema.
 */
export type SchemaDocument = {
  readonly nodes: readonly NodeEntry[];
  readonly generics: readonly GenericEntry[];
  readonly extensions: readonly ExtensionEntry[];
};

export type KindProperties = {
  readonly id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly branch?: BranchSupport;
  readonly human_friendly_id?: readonly string[];
  readonly display_label?: string;
  readonly display_labels?: readonly string[];
  readonly default_filter?: string;
  readonly order_by?: readonly string[];
  readonly uniqueness_constraints?: readonly (readonly string[])[];
  readonly include_in_menu?: boolean;
  readonly menu_placement?: string;
  readonly icon?: string;
  readonly documentation?: string;
  readonly generate_profile?: boolean;
  readonly generate_template?: boolean;
};

type KindEntryCommon = KindProperties & {
  readonly loc: Location;
  readonly name: string;
  readonly namespace: string;
  readonly state: State;
  readonly attributes: readonly AttributeEntry[];
  readonly relationships: readonly RelationshipEntry[];
};

export type NodeEntry = KindEntryCommon & {
  readonly inherit_from?: readonly string[];
  readonly hierarchy?: string;
  readonly parent?: string;
  readonly children?: string;
};

export type GenericEntry = KindEntryCommon & {
  readonly hierarchical?: boolean;
  readonly restricted_namespaces?: readonly string[];
};

export type ExtensionEntry = {
  readonly loc: Location;
  readonly kind: string;
  readonly attributes: readonly AttributeEntry[];
  readonly relationships: readonly RelationshipEntry[];
};

export type Choice = {
  readonly name: string;
  readonly label?: string;
  readonly color?: string;
  readonly description?: string;
};

export type FieldProperties = {
  readonly id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly order_weight?: number;
  readonly deprecation?: string;
  readonly display?: string;
  readonly branch?: BranchSupport;
  readonly optional?: boolean;
  readonly read_only?: boolean;
  readonly allow_override?: Override;
};

export type AttributeEntry = FieldProperties & {
  readonly loc: Location;
  readonly name: string;
  readonly state: State;
  /** Absent only on an entry that removes the attribute. */
  readonly kind?: AttributeKind;
  readonly default_value?: Json;
  readonly unique?: boolean;
  readonly enum?: readonly Json[];
  readonly choices?: readonly Choice[];
  /** Holds `regex`, `min_length` and `max_length` too, wherever the document wrote them. */
  readonly parameters?: AttributeParameters;
  readonly computed_attribute?: ComputedAttribute;
  /** The lengths that the document wrote beside `parameters`: they still count, with a warning. */
  readonly deprecatedProperties: readonly string[];
};

export type RelationshipEntry = FieldProperties & {
  readonly loc: Location;
  readonly name: string;
  readonly state: State;
  /** Absent only on an entry that removes the relationship. */
  readonly peer?: string;
  readonly kind?: RelationshipKind;
  readonly identifier?: string;
  readonly cardinality?: Cardinality;
  readonly min_count?: number;
  readonly max_count?: number;
  readonly common_parent?: string;
  readonly common_relatives?: readonly string[];
  readonly direction?: Direction;
  readonly on_delete?: DeleteBehaviour;
};
