import type {Instant} from '../../domain/time/instant.ts';
import type {GraphStore, Snapshot} from '../../ports/graph-store.ts';

const REMEMBERED_MAX = 50_000;

/**
 * Remembers what was read from the head of the default branch until something is committed, by this server or by
 * another: an answer is never older than the last commit. Between commits, asking again reads nothing.
 */
export class AtHead {
  readonly #store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>;
  readonly #answers = new Map<string, Promise<unknown>>();
  #at: Instant | undefined;

  constructor(store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>) {
    this.#store = store;
  }

  async remember<T>(question: string, read: (head: Snapshot) => Promise<T>): Promise<T> {
    const head = await this.#store.snapshot({branch: this.#store.defaultBranch});
    if (head.at !== this.#at || this.#answers.size >= REMEMBERED_MAX) {
      this.#answers.clear();
      this.#at = head.at;
    }
    const known = this.#answers.get(question);
    if (known !== undefined) return known as Promise<T>;
    const answer = read(head);
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.delete(question));
    return answer;
  }
}
