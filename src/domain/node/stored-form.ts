import type {Json} from '../../base/json.ts';
import {KIND_CHECKS} from '../attribute/kinds/registry.ts';
import type {AttributeKind} from '../attribute/kinds.ts';

/** The form in which a value of the kind is stored, whatever else an attribute asks; `undefined` when it is none. */
export function storedForm(kind: AttributeKind, value: Json): Json | undefined {
  const checked = KIND_CHECKS[kind](value);
  return checked.ok ? checked.value : undefined;
}
