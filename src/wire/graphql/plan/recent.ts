/**
 * Keeps the entries used last, at most so many. They are held in two halves: what is asked for moves to the younger one,
 * and when that is full the older one goes. So asking again for what is in use changes nothing.
 */
export class Recent<Key, Value> {
  readonly #halfMax: number;
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(max: number) {
    this.#halfMax = Math.ceil(max / 2);
  }

  get(key: Key): Value | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const old = this.#older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#younger.size >= this.#halfMax && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }
}
