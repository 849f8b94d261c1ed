import {derivedId} from '../ids.ts';
import type {RelationshipSchema} from '../schema.ts';
import type {BranchSupport, Cardinality, Direction, RelationshipKind} from '../vocabulary.ts';
import type {KindDraft} from './draft.ts';

export type DerivedRelationship = {
  readonly name: string;
  readonly label: string;
  readonly peer: string;
  readonly kind: RelationshipKind;
  readonly identifier: string;
  readonly cardinality: Cardinality;
  readonly branch: BranchSupport;
  readonly order_weight: number;
  readonly description: string;
  readonly direction?: Direction;
  readonly hierarchical?: string;
};

/** A relationship that the service adds to a kind. */
export function derivedRelationship(draft: KindDraft, given: DerivedRelationship): RelationshipSchema {
  return {
    is: 'relationship',
    id: derivedId(draft.id, given.name),
    deprecation: null,
    display: null,
    optional: true,
    read_only: false,
    allow_override: 'any',
    inherited: false,
    declaredBy: draft.kind,
    min_count: 0,
    max_count: given.cardinality === 'one' ? 1 : 0,
    common_parent: null,
    common_relatives: null,
    direction: 'bidirectional',
    on_delete: 'no-action',
    hierarchical: null,
    ...given,
  };
}
