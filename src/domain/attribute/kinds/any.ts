import type {Checked} from './checked.ts';
import {checkAnyJson} from './json.ts';
import {checkText} from './text.ts';

export function checkAny(value: unknown): Checked {
  return typeof value === 'string' ? checkText(value) : checkAnyJson(value);
}
