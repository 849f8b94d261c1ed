import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {GraphStore, Snapshot} from '../../ports/graph-store.ts';

const REMEMBERED_MAX = 50_000;

/**
 * Remembers what was read from the head of the default branch until something is committed that may concern it, by this
 * server or by another: an answer is never older than the last such commit. Between them, asking again reads nothing.
 */
export class AtHead {
  readonly #store: Pick<GraphStore, 'snapshot' | 'spared' | 'defaultBranch'>;
  readonly #answers = new Map<string, Awaitable<unknown>>();
  #at: Instant | undefined;

  constructor(store: Pick<GraphStore, 'snapshot' | 'spared' | 'defaultBranch'>) {
    this.#store = store;
  }

  remember<T>(question: string, read: (head: Snapshot) => Promise<T>): Awaitable<T> {
    const {defaultBranch} = this.#store;
    return whenReady(this.#store.snapshot({branch: defaultBranch}), head =>
      this.#answer(head, question, read),
    );
  }

  #answer<T>(head: Snapshot, question: string, read: (head: Snapshot) => Promise<T>): Awaitable<T> {
    if (!this.#holdsAt(head.at) || this.#answers.size >= REMEMBERED_MAX) this.#answers.clear();
    this.#at = head.at;
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

  #holdsAt(at: Instant): boolean {
    return at === this.#at || (this.#at !== undefined && this.#store.spared(this.#at, at, isOfAccess));
  }
}

/** Kinds that say who somebody is and what they may do: all but those of users, and those of their own accounts. */
const isOfAccess = ({name, generics}: KindShape): boolean =>
  /^(?:Core|Internal)/.test(name) || generics.includes('CoreGenericAccount');
