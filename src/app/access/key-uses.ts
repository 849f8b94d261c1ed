import type {NodeId} from '../../domain/graph/node-id.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import {storedTime} from './stored-time.ts';

const KEYS_MAX = 10_000;

/** When API keys were last used, written down for many uses at once. */
export class KeyUses {
  readonly #store: GraphStore;
  #pending = new Map<NodeId, number>();

  constructor(store: GraphStore) {
    this.#store = store;
  }

  note(key: NodeId, micros: number): void {
    if (this.#pending.size < KEYS_MAX || this.#pending.has(key)) this.#pending.set(key, micros);
  }

  /** One commit for all keys used since the last time; none when none was. */
  async record(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    const author = {account: null, message: 'Last use of API keys'};
    await this.#store.write(this.#store.defaultBranch, author, async draft => {
      const keys = await draft.nodes([...uses.keys()]);
      for (const key of keys) {
        if (key === undefined) continue;
        const value = storedTime(uses.get(key.id) ?? 0);
        await draft.update(key.id, {last_used_at: {value, isDefault: false}});
      }
    });
  }
}
