import {accept, type Checked, refuse, typeName} from './checked.ts';

export function checkBoolean(value: unknown): Checked {
  return typeof value === 'boolean' ? accept(value) : refuse(`must be true or false, not ${typeName(value)}`);
}
