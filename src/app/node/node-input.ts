import type {Json} from '../../base/json.ts';

/** What a caller says about an object to be made or changed, before any of it is checked. */
export interface NodeInput {
  readonly id?: string;
  readonly hfid?: readonly string[];
  readonly attributes: Readonly<Record<string, AttributeInput>>;
  /** Null or an empty list clears; a list replaces the whole set of peers. */
  readonly relationships: Readonly<Record<string, RelatedInput | readonly RelatedInput[] | null>>;
}

export interface AttributeInput {
  readonly value?: Json;
  /** True resets to the schema's default, and lets profiles speak again. */
  readonly isDefault?: boolean;
  readonly isProtected?: boolean;
  readonly isVisible?: boolean;
  readonly source?: string | null;
  readonly owner?: string | null;
}

/** A peer: an object that exists, or one to be made in the same commit. */
export interface RelatedInput {
  readonly id?: string;
  readonly hfid?: readonly string[];
  /** Which kind of a generic the hfid or the new object is of. */
  readonly kind?: string;
  readonly data?: NodeInput;
  readonly isProtected?: boolean;
  readonly isVisible?: boolean;
  readonly source?: string | null;
  readonly owner?: string | null;
}

export interface NodeReference {
  readonly id?: string;
  readonly hfid?: readonly string[];
}
