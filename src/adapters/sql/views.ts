import type {Instant} from '../../domain/time/instant.ts';
import type {BranchBook} from './branch-book.ts';
import type {Queries} from './query.ts';

const VIEWS_MAX = 500;

/** What was put together to answer at recent points, for as long as nothing is committed anywhere. */
export class Views {
  readonly #views = new Map<number, Map<Instant, Queries>>();
  #size = 0;
  #book: BranchBook | undefined;
  #revision = -1;

  get(book: BranchBook, branch: number, at: Instant): Queries | undefined {
    if (book !== this.#book || book.revision !== this.#revision) {
      this.#clear();
      this.#book = book;
      this.#revision = book.revision;
    }
    return this.#views.get(branch)?.get(at);
  }

  /** Only for what was looked for and not found just before. */
  set(branch: number, at: Instant, queries: Queries): void {
    if (this.#size >= VIEWS_MAX) this.#clear();
    const ofBranch = this.#views.get(branch) ?? new Map<Instant, Queries>();
    this.#views.set(branch, ofBranch);
    ofBranch.set(at, queries);
    this.#size += 1;
  }

  #clear(): void {
    this.#views.clear();
    this.#size = 0;
  }
}
