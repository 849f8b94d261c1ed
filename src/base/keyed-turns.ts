/** Bodies under one key run one after the other; those under different keys do not wait for each other. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, body: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(body, body);
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
