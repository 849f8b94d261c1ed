import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {GraphStore, Snapshot} from '../../ports/graph-store.ts';

const REMEMBERED_MAX = 50_000;

/**
 * Remembers what was read from the head of the default branch until something is committed, by this server or by
 * another: an answer is never older than the last commit. Between commits, asking again reads nothing.
 */
export class AtHead {
  readonly #store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>;
  readonly #answers = new Map<string, Awaitable<unknown>>();
  #at: Instant | undefined;

  constructor(store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>) {
    this.#store = store;
  }

  remember<T>(question: string, read: (head: Snapshot) => Promise<T>): Awaitable<T> {
    const {defaultBranch} = this.#store;
    return whenReady(this.#store.snapshot({branch: defaultBranch}), head =>
      this.#answer(head, question, read),
    );
  }

  #answer<T>(head: Snapshot, question: string, read: (head: Snapshot) => Promise<T>): Awaitable<T> {
    if (head.at !== this.#at || this.#answers.size >= REMEMBERED_MAX) {
      this.#answers.clear();
      this.#at = head.at;
    }
    const known = this.#answers.get(question);
    if (known !== undefined || this.#answers.has(question)) return known as Awaitable<T>;
    const answer = read(head);
    this.#answers.set(question, answer);
    const settle = (change: () => void) => {
      if (this.#answers.get(question) === answer) change();
    };
    answer.then(
      value => settle(() => this.#answers.set(question, value)),
      () => settle(() => this.#answers.delete(question)),
    );
    return answer;
  }
}
