/** A map for things that can be made again: when it is full, the oldest entry makes room. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #entriesMax: number;
  /**
   * Stands before the oldest entry. It is kept, because one that begins anew steps over every entry that was removed
   * at the front: with many entries that takes longer than making again what the map is for.
   */
  #ages: Iterator<K> | undefined;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (this.#entries.size >= this.#entriesMax && !this.#entries.has(key)) this.#makeRoom();
    this.#entries.set(key, value);
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#ages = undefined;
  }

  #makeRoom(): void {
    this.#ages ??= this.#entries.keys();
    const oldest = this.#ages.next();
    if (oldest.done === true) this.#ages = undefined;
    else this.#entries.delete(oldest.value);
  }
}
