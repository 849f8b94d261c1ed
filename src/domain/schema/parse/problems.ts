import {problemsMax} from '../limits.ts';
import type {DocumentProblem, Location} from '../problem.ts';

/** Gathers what is wrong with a document, up to a bound that keeps the answer small. */
export class Problems {
  readonly #kept: DocumentProblem[] = [];
  #more = 0;

  add(loc: Location, message: string, type: string): void {
    if (!this.isFull) this.#kept.push({loc, message, type});
    else this.#more += 1;
  }

  /** Whether further problems are only counted, so that nobody need word them. */
  get isFull(): boolean {
    return this.#kept.length >= problemsMax;
  }

  get count(): number {
    return this.#kept.length + this.#more;
  }

  list(base: Location): readonly DocumentProblem[] {
    if (this.#more === 0) return this.#kept;
    const message = `There are ${this.#more} more problems; correct the ones listed first`;
    return [...this.#kept, {loc: base, message, type: 'too_many_problems'}];
  }
}
