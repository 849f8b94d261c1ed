import {type Checked, refuse, typeName} from './checked.ts';
import {checkAnyJson} from './json.ts';

export function checkList(value: unknown): Checked {
  return Array.isArray(value) ? checkAnyJson(value) : refuse(`must be a list, not ${typeName(value)}`);
}
