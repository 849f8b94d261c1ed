/** Few enough that sorting them takes a millisecond or two. */
const RUN_LENGTH = 4096;

/**
 * Gives back in order what was added in any. It sorts as things come and merges as they are taken, so that no call
 * takes long, however many there are.
 */
export class SortedRuns<T> {
  readonly #compare: (a: T, b: T) => number;
  #open: T[] = [];
  /** A heap of runs by the first of each, which stands at its end. */
  readonly #runs: T[][] = [];
  #size = 0;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    this.#size += 1;
    this.#open.push(item);
    if (this.#open.length === RUN_LENGTH) this.#closeRun();
  }

  /** The first of all that are left, `countMax` at most. */
  take(countMax: number): readonly T[] {
    if (this.#open.length > 0) this.#closeRun();
    const taken: T[] = [];
    const runs = this.#runs;
    while (taken.length < countMax && runs.length > 0) {
      const first = runs[0]!;
      taken.push(first.pop()!);
      if (first.length === 0) {
        const last = runs.pop()!;
        if (runs.length === 0) break;
        runs[0] = last;
      }
      this.#sink();
    }
    this.#size -= taken.length;
    return taken;
  }

  clear(): void {
    this.#open = [];
    this.#runs.length = 0;
    this.#size = 0;
  }

  #closeRun(): void {
    const runs = this.#runs;
    runs.push(this.#open.sort((a, b) => this.#compare(b, a)));
    this.#open = [];
    for (let place = runs.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(place, parent)) break;
      this.#swap(place, parent);
      place = parent;
    }
  }

  #sink(): void {
    const {length} = this.#runs;
    for (let place = 0; ; ) {
      const left = 2 * place + 1;
      if (left >= length) return;
      const child = left + 1 < length && this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, place)) return;
      this.#swap(place, child);
      place = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return this.#compare(this.#runs[a]!.at(-1)!, this.#runs[b]!.at(-1)!) < 0;
  }

  #swap(a: number, b: number): void {
    const runs = this.#runs;
    [runs[a], runs[b]] = [runs[b]!, runs[a]!];
  }
}
