/** How long others wait for their turn while something long is done. */
const SLICE_MILLIS = 2;

/** Long work on the thread that everybody shares, cut into pieces: `if (slices.isOver) await slices.next()`. */
export class Slices {
  #begun = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#begun >= SLICE_MILLIS;
  }

  /** Lets all others have their turn. */
  async next(): Promise<void> {
    await new Promise<void>(resolve => {
      setImmediate(resolve);
    });
    this.#begun = performance.now();
  }
}
