import type {Instant} from '../../domain/time/instant.ts';
import type {BranchBook} from './branch-book.ts';
import type {Queries} from './query.ts';

const VIEWS_MAX = 500;

/** What was put together to answer at recent points, for as long as nothing is committed anywhere. */
export class Views {
  readonly #views = new Map<string, Queries>();
  #book: BranchBook | undefined;
  #revision = -1;

  get(book: BranchBook, branch: number, at: Instant): Queries | undefined {
    if (book !== this.#book || book.revision !== this.#revision) {
      this.#views.clear();
      this.#book = book;
      this.#revision = book.revision;
    }
    return this.#views.get(`${branch}@${at}`);
  }

  /** Only for what was looked for and not found just before. */
  set(branch: number, at: Instant, queries: Queries): void {
    if (this.#views.size >= VIEWS_MAX) this.#views.clear();
    this.#views.set(`${branch}@${at}`, queries);
  }
}
