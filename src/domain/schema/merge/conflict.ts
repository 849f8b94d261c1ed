import {type Json, sameJson} from '../../../base/json.ts';

/** Something that both sides changed, each in its own way. */
export type MergeConflict = {
  /** `Kind`, `Kind.property`, `Kind.field` or `Kind.field.property`. */
  readonly path: string;
  /** Null: not there, or not set. */
  readonly base: Json;
  readonly ours: Json;
  readonly theirs: Json;
};

export type Side = 'ours' | 'theirs';

/** Gathers conflicts, and answers each with the side that was chosen for it. */
export class Conflicts {
  readonly list: MergeConflict[] = [];
  readonly #choose: (path: string) => Side;

  constructor(choose: (path: string) => Side) {
    this.#choose = choose;
  }

  /** What clashes again under one path, such as a kind that one side has made anew, follows the first choice. */
  settle<T>(path: string, base: T | undefined, ours: T, theirs: T): T {
    const json = (value: unknown) => (value ?? null) as Json;
    const isKnown = this.list.some(conflict => conflict.path === path);
    if (!isKnown) this.list.push({path, base: json(base), ours: json(ours), theirs: json(theirs)});
    return this.#choose(path) === 'ours' ? ours : theirs;
  }
}

export const same = (a: unknown, b: unknown): boolean =>
  a === b || sameJson((a ?? null) as Json, (b ?? null) as Json);

/** The side that alone changed the value, or undefined when both did, and differently. */
export function oneSided<T>(base: T | undefined, ours: T, theirs: T): {readonly value: T} | undefined {
  if (same(ours, theirs) || same(base, theirs)) return {value: ours};
  return same(base, ours) ? {value: theirs} : undefined;
}
