import {compareText} from '../../domain/attribute/sort-key.ts';
import type {Cursor, PageRequest} from '../../domain/query/node-query.ts';
import type {KindLayout} from './layout.ts';
import type {Reader, VisibleVersion} from './reader.ts';
import type {Selection} from './selection.ts';
import type {Work} from './statement.ts';

/** A version in its place of an order. */
export interface Placed extends VisibleVersion {
  readonly key: string;
}

/** The part of an order that a page asks for; a null limit means to the end. */
export interface Slice {
  readonly after: Cursor | null;
  readonly limit: number | null;
  readonly offset: number;
}

/** What can put a selection into its order. */
export interface Placing {
  readonly reader: Reader;
  isOrdered(kind: KindLayout): boolean;
  placed(selection: Selection, slice: Slice): Work<Placed[]>;
}

export const WHOLE: Slice = {after: null, limit: null, offset: 0};

export const comparePlaced = (a: {key: string; serial: number}, b: {key: string; serial: number}): number =>
  compareText(a.key, b.key) || a.serial - b.serial;

export const sliceOf = (page: PageRequest | undefined): Slice =>
  page === undefined
    ? WHOLE
    : 'after' in page
      ? {after: page.after, limit: page.limit, offset: 0}
      : {after: null, limit: page.limit, offset: page.offset};

/** Cuts a page out of what is already in order. */
export function cut<T extends {key: string; serial: number}>(
  items: readonly T[],
  slice: Slice,
): {readonly items: readonly T[]; readonly hasMore: boolean} {
  let from = slice.offset;
  if (slice.after !== null) {
    const last = {key: slice.after[0], serial: slice.after[1]};
    from = items.findIndex(item => comparePlaced(item, last) > 0);
    if (from < 0) from = items.length;
  }
  const until = slice.limit === null ? items.length : from + slice.limit;
  return {items: items.slice(from, until), hasMore: until < items.length};
}
