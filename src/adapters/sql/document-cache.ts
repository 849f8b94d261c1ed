import {BoundedMap} from '../../base/bounded-map.ts';
import type {StoredNode} from './stored-node.ts';

/**
 * Parsed versions by their number. A version never changes, so nothing is ever told to forget; the oldest
 * entries go when it is full.
 */
export interface DocumentCache {
  get(version: number): StoredNode | undefined;
  set(version: number, node: StoredNode): void;
}

export const documentCache = (entriesMax: number): DocumentCache => new BoundedMap(entriesMax);

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
