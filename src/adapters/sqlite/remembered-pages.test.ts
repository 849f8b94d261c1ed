import {expect, test} from 'vitest';
import type {Found, Page} from '../../ports/graph-store.ts';
import type {BranchBook} from '../sql/branch-book.ts';
import {RememberedPages} from './remembered-pages.ts';

const page = (rows: number): Page => ({
  found: Array.from({length: rows}, () => ({included: []}) as unknown as Found),
  count: undefined,
  hasMore: false,
});

/** Pages, the book that they stay right by, and whether a question had to be asked. */
function world() {
  const book = {revision: 1};
  const pages = new RememberedPages();
  return {
    book,
    pages,
    find: (key: string, find: () => Page | Promise<Page>) =>
      pages.find(book as unknown as BranchBook, key, find),
    isKnown(key: string): boolean {
      let isAsked = false;
      void pages.find(book as unknown as BranchBook, key, () => {
        isAsked = true;
        return page(0);
      });
      return !isAsked;
    },
  };
}

test('a page is remembered until something is committed', () => {
  const {book, find, isKnown} = world();
  const shown = page(3);
  expect(find('a', () => shown)).toBe(shown);
  expect(find('a', () => page(4))).toBe(shown);
  book.revision += 1;
  expect(isKnown('a')).toBe(false);
});

test('those who ask the same at the same time wait for one answer', async () => {
  const {find, isKnown} = world();
  const {promise, resolve, reject} = Promise.withResolvers<Page>();
  const first = find('a', () => promise);
  const second = find('a', () => page(4));
  const shown = page(3);
  resolve(shown);
  expect(await Promise.all([first, second])).toEqual([shown, shown]);
  expect(isKnown('a')).toBe(true);
  reject();
});

test('a question that failed is asked again', async () => {
  const {find} = world();
  await expect(find('a', () => Promise.reject(new Error('too slow')))).rejects.toThrow('too slow');
  expect(find('a', () => page(4))).toEqual(page(4));
});

test('a page that was asked for before a commit and comes after it is not remembered', async () => {
  const {book, find, isKnown} = world();
  const {promise, resolve} = Promise.withResolvers<Page>();
  const asked = find('a', () => promise);
  book.revision += 1;
  expect(isKnown('b')).toBe(false);
  resolve(page(3));
  await asked;
  expect(isKnown('a')).toBe(false);
});

test('very long pages are not remembered, and others only so many', () => {
  const {find, isKnown} = world();
  void find('long', () => page(5_000));
  expect(isKnown('long')).toBe(false);
  for (let key = 0; key < 1_000; key += 1) void find(String(key), () => page(500));
  const kept = Array.from({length: 1_000}, (_, key) => String(key)).filter(isKnown);
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(kept).toContain('999');
});
