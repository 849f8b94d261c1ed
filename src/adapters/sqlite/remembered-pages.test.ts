import {expect, test} from 'vitest';
import type {Found, Page} from '../../ports/graph-store.ts';
import type {BranchBook} from '../sql/branch-book.ts';
import {RememberedPages} from './remembered-pages.ts';

const book = (revision: number) => ({revision}) as BranchBook;

const page = (rows: number): Page => ({
  found: Array.from({length: rows}, () => ({included: []}) as unknown as Found),
  count: undefined,
  hasMore: false,
});

test('a page is remembered until something is committed', () => {
  const pages = new RememberedPages();
  const shown = page(3);
  expect(pages.get(book(1), 'a')).toBeUndefined();
  pages.set(book(1), 1, 'a', shown);
  expect(pages.get(book(1), 'a')).toBe(shown);
  expect(pages.get(book(2), 'a')).toBeUndefined();
  expect(pages.get(book(1), 'a')).toBeUndefined();
});

test('a page that was asked for before a commit and comes after it is not remembered', () => {
  const pages = new RememberedPages();
  pages.get(book(1), 'a');
  pages.get(book(2), 'b');
  pages.set(book(2), 1, 'a', page(3));
  expect(pages.get(book(2), 'a')).toBeUndefined();
});

test('very long pages are not remembered, and others only so many', () => {
  const pages = new RememberedPages();
  pages.get(book(1), 'long');
  pages.set(book(1), 1, 'long', page(5_000));
  expect(pages.get(book(1), 'long')).toBeUndefined();
  for (let key = 0; key < 1_000; key += 1) pages.set(book(1), 1, String(key), page(500));
  const kept = Array.from({length: 1_000}, (_, key) => pages.get(book(1), String(key)));
  expect(kept.filter(each => each !== undefined).length).toBeLessThanOrEqual(100);
  expect(pages.get(book(1), '999')).toBeDefined();
});
