import type {Json} from '../../../base/json.ts';

/** The stored form of a value, or what is wrong with it, worded to follow the attribute's name. */
export type Checked =
  | {readonly ok: true; readonly value: Json}
  | {readonly ok: false; readonly problem: string};

export type KindCheck = (value: unknown) => Checked;

export const accept = (value: Json): Checked => ({ok: true, value});

export const refuse = (problem: string): Checked => ({ok: false, problem});

/** How a sentence calls a value of the wrong type, without repeating the value. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'boolean':
      return 'a boolean';
    case 'number':
    case 'bigint':
      return Number.isInteger(Number(value)) ? 'an integer' : 'a fraction';
    case 'undefined':
      return 'nothing';
    default:
      return 'an object';
  }
}

const QUOTED_LENGTH_MAX = 80;

/** A value as a sentence shows it: as JSON, cut when long. */
export function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= QUOTED_LENGTH_MAX ? text : `${text.slice(0, QUOTED_LENGTH_MAX).toWellFormed()}…`;
}
