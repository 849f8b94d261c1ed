import {type Json, sameJson} from '../../../base/json.ts';

type Properties = {readonly [key: string]: unknown};

/**
 * The properties of an element after an entry describes it (again): what the entry says; else the stored
 * value where the default is null; else the default. So a flag that an entry leaves out is reset.
 */
export function declare<D extends Properties>(
  defaults: D,
  stored: {readonly [K in keyof D]: unknown} | undefined,
  entry: {readonly [K in keyof D]?: unknown},
): D {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(defaults) as (keyof D & string)[]) {
    const kept = stored !== undefined && defaults[key] === null ? stored[key] : defaults[key];
    result[key] = entry[key] ?? kept;
  }
  return result as D;
}

/** The stored element itself when the new one says the same, so that an unchanged load is seen as such. */
export function unlessSame<T extends object>(stored: T | undefined, next: T): T {
  if (stored === undefined) return next;
  const keys = Object.keys(next) as (keyof T)[];
  const same = keys.every(
    key => stored[key] === next[key] || sameJson(stored[key] as Json, next[key] as Json),
  );
  return same ? stored : next;
}
