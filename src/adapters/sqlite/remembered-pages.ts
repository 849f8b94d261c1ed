import type {Awaitable} from '../../base/awaitable.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Page} from '../../ports/graph-store.ts';
import type {BranchBook} from '../sql/branch-book.ts';

/** Of all pages together, on all their levels. */
const ROWS_MAX = 50_000;
/** A page with more rows would take the place of many others. */
const PAGE_ROWS_MAX = 1_000;

/**
 * What was found at some point, until something is committed anywhere: between commits, asking again reads nothing, and
 * those who ask the same at the same time wait for one answer. They are held in two halves, of which the older goes when the younger is full.
 */
export class RememberedPages {
  #revision = -1;
  #younger = new Map<string, Page>();
  #older = new Map<string, Page>();
  #rows = 0;
  readonly #awaited = new Map<string, Promise<Page>>();

  static keyOf(branch: number, at: Instant, query: NodeQuery): string {
    return `${branch}@${at} ${JSON.stringify(query)}`;
  }

  /** The page under the key; `find` is asked when it is not at hand and nobody else waits for it. */
  find(book: BranchBook, key: string, find: () => Awaitable<Page>): Awaitable<Page> {
    const {revision} = book;
    if (revision !== this.#revision) this.#forget(revision);
    const known = this.#known(key) ?? this.#awaited.get(key);
    if (known !== undefined) return known;
    const found = find();
    if (found instanceof Promise) return this.#await(book, key, found);
    this.#keep(key, found);
    return found;
  }

  /** Nothing is kept of a page that comes after a commit and was asked for before it. */
  async #await(book: BranchBook, key: string, found: Promise<Page>): Promise<Page> {
    const {revision} = book;
    this.#awaited.set(key, found);
    try {
      const page = await found;
      if (book.revision === revision && this.#revision === revision) this.#keep(key, page);
      return page;
    } finally {
      if (this.#awaited.get(key) === found) this.#awaited.delete(key);
    }
  }

  #known(key: string): Page | undefined {
    const page = this.#younger.get(key);
    if (page !== undefined) return page;
    const old = this.#older.get(key);
    if (old !== undefined) this.#keep(key, old);
    return old;
  }

  #keep(key: string, page: Page): void {
    const rows = 1 + rowsOf(page, PAGE_ROWS_MAX);
    if (rows > PAGE_ROWS_MAX) return;
    if (this.#rows + rows > ROWS_MAX / 2) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#rows = 0;
    }
    this.#younger.set(key, page);
    this.#rows += rows;
  }

  #forget(revision: number): void {
    this.#revision = revision;
    this.#rows = 0;
    this.#younger.clear();
    this.#older.clear();
    this.#awaited.clear();
  }
}

/** How many rows a page has, or more than `max` when it has more. */
function rowsOf({found}: Page, max: number): number {
  let rows = found.length;
  for (const {included} of found) {
    if (rows > max) return rows;
    for (const below of included) rows += rowsOf(below, max - rows);
  }
  return rows;
}
