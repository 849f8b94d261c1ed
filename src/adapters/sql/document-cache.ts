import type {StoredNode} from './stored-node.ts';

/**
 * Parsed versions by their number. A version never changes, so nothing is ever told to forget; the oldest
 * entries go when it is full.
 */
export interface DocumentCache {
  get(version: number): StoredNode | undefined;
  set(version: number, node: StoredNode): void;
}

export function documentCache(entriesMax: number): DocumentCache {
  const entries = new Map<number, StoredNode>();
  return {
    get: version => entries.get(version),
    set(version, node) {
      if (entries.size >= entriesMax) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      }
      entries.set(version, node);
    },
  };
}

/**
 * The cache of a write under way: versions above `committed` may still be rewritten or rolled back, so they are
 * kept apart and go with the write.
 */
export function draftCache(shared: DocumentCache, committed: number): DocumentCache {
  const own = new Map<number, StoredNode>();
  return {
    get: version => (version > committed ? own.get(version) : shared.get(version)),
    set(version, node) {
      if (version > committed) own.set(version, node);
      else shared.set(version, node);
    },
  };
}
