import type {Json} from '../../base/json.ts';
import {checkValue} from '../attribute/check-value.ts';
import type {AttributeDefinition} from './source.ts';

/** The default of an attribute in stored form, allowed or not; null when there is none. */
export function storedDefault(attribute: AttributeDefinition): Json {
  if (attribute.default_value === null) return null;
  const {name, kind} = attribute;
  const checked = checkValue({name, kind, optional: true}, attribute.default_value);
  return checked.ok ? checked.value : attribute.default_value;
}
