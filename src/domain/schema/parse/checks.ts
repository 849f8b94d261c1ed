import type {Json} from '../../../base/json.ts';
import {jsonDepthMax} from '../../attribute/limits.ts';
import {listLengthMax} from '../limits.ts';
import type {Location} from '../problem.ts';
import type {Problems} from './problems.ts';

/** Reads one value: what it is, or `undefined` after saying what is wrong. */
export type Check<T> = (value: unknown, loc: Location, problems: Problems) => T | undefined;

export type TextRule = {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
  /** The pattern in words, to follow "must". */
  readonly meaning?: string;
};

export function text(rule: TextRule): Check<string> {
  return (value, loc, problems) => {
    if (typeof value !== 'string') return refuse(problems, loc, 'string_type', 'a text', value);
    if (value.length > rule.max) {
      const long = `must have at most ${rule.max} characters, it has ${value.length}; shorten it`;
      problems.add(loc, `${last(loc)} ${long}`, 'string_too_long');
      return undefined;
    }
    if (value.length < (rule.min ?? 0)) {
      problems.add(loc, `${last(loc)} must have at least ${rule.min} characters`, 'string_too_short');
      return undefined;
    }
    if (rule.pattern !== undefined && !rule.pattern.test(value)) {
      const message = `${last(loc)} must ${rule.meaning}; "${value}" does not`;
      problems.add(loc, message, 'string_pattern_mismatch');
      return undefined;
    }
    return value;
  };
}

export const bool: Check<boolean> = (value, loc, problems) =>
  typeof value === 'boolean' ? value : refuse(problems, loc, 'bool_type', 'true or false', value);

export function integer(min: number): Check<number> {
  return (value, loc, problems) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      return refuse(problems, loc, 'int_type', 'an integer', value);
    }
    if (value >= min) return value;
    problems.add(loc, `${last(loc)} must be at least ${min}, ${value} is less`, 'greater_than_equal');
    return undefined;
  };
}

export function oneOf<T extends string>(words: readonly T[]): Check<T> {
  return (value, loc, problems) => {
    const word = words.find(each => each === value);
    if (word !== undefined) return word;
    problems.add(loc, `${last(loc)} must be one of ${words.join(', ')}, not ${shown(value)}`, 'enum');
    return undefined;
  };
}

/** A part that is read elsewhere. */
export const later: Check<unknown> = value => value;

export const anyJson: Check<Json> = (value, loc, problems) => {
  if (isShallow(value, jsonDepthMax)) return value as Json;
  problems.add(
    loc,
    `${last(loc)} must not nest deeper than ${jsonDepthMax} levels; flatten it`,
    'value_error',
  );
  return undefined;
};

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  const items = Array.isArray(value) ? value : Object.values(value);
  return items.every(item => isShallow(item, levels - 1));
}

export function listOf<T>(item: Check<T>, what: string): Check<readonly T[]> {
  return (value, loc, problems) => {
    if (!Array.isArray(value)) return refuse(problems, loc, 'list_type', `a list of ${what}`, value);
    if (isTooLong(value, listLengthMax, loc, problems)) return undefined;
    const before = problems.count;
    const items: T[] = [];
    for (const [index, each] of value.entries()) {
      const read = item(each, [...loc, index], problems);
      if (read !== undefined) items.push(read);
    }
    return problems.count === before ? items : undefined;
  };
}

export function isTooLong(list: readonly unknown[], max: number, loc: Location, problems: Problems): boolean {
  if (list.length <= max) return false;
  problems.add(loc, `${last(loc)} may have at most ${max} entries, it has ${list.length}`, 'too_long');
  return true;
}

export type Table = Readonly<Record<string, Check<unknown>>>;

export type Read<T extends Table> = {
  readonly [K in keyof T]?: T[K] extends Check<infer V> ? V : never;
};

/**
 * The known keys of an object. A null counts as left out; an unknown key is a problem, so that a slip of
 * the pen is never silently ignored.
 */
export function readObject<T extends Table>(
  value: unknown,
  table: T,
  required: readonly (keyof T & string)[],
  loc: Location,
  problems: Problems,
): Read<T> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(problems, loc, 'dict_type', 'an object', value);
  }
  const given = value as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    const check = Object.hasOwn(table, key) ? table[key] : undefined;
    const item = given[key];
    if (check === undefined) refuseUnknownKey(key, table, loc, problems);
    else if (item !== null && item !== undefined) {
      const checked = check(item, [...loc, key], problems);
      if (checked !== undefined) read[key] = checked;
    }
  }
  for (const key of required) {
    if (!Object.hasOwn(given, key) || given[key] === null || given[key] === undefined) {
      problems.add([...loc, key], `${key} is missing; give it a value`, 'missing');
    }
  }
  return read as Read<T>;
}

const KEY_LENGTH_SHOWN_MAX = 80;

function refuseUnknownKey(key: string, table: Table, loc: Location, problems: Problems): void {
  const shownKey = key.slice(0, KEY_LENGTH_SHOWN_MAX);
  const message = problems.isFull
    ? ''
    : `"${shownKey}" is not a property here; ${adviceFor(shownKey, table)}`;
  problems.add([...loc, shownKey], message, 'extra_forbidden');
}

function adviceFor(key: string, table: Table): string {
  const plain = key.toLowerCase().replaceAll(/[-_]/g, '');
  const near = Object.keys(table).find(known => known.replaceAll('_', '') === plain);
  return near === undefined ? 'remove it' : `did you mean ${near}?`;
}

function refuse(problems: Problems, loc: Location, type: string, wanted: string, value: unknown): undefined {
  problems.add(loc, `${last(loc)} must be ${wanted}, not ${typeWord(value)}`, type);
  return undefined;
}

function typeWord(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'number':
      return `the number ${value}`;
    default:
      return 'an object';
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 80)}"` : typeWord(value);
}

function last(loc: Location): string {
  const end = loc.at(-1);
  return typeof end === 'number' ? `item ${end}` : (end ?? 'the body');
}
