import {assert} from '../../base/assert.ts';
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

/** Counts how often it could answer. */
export class CountedDocumentCache implements DocumentCache {
  readonly #nodes: BoundedMap<number, StoredNode>;
  hits = 0;
  misses = 0;

  constructor(entriesMax: number) {
    this.#nodes = new BoundedMap(entriesMax);
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(version: number): StoredNode | undefined {
    const node = this.#nodes.get(version);
    if (node === undefined) this.misses += 1;
    else this.hits += 1;
    return node;
  }

  set(version: number, node: StoredNode): void {
    this.#nodes.set(version, node);
  }

  /** Puts something in and takes it out again, under a number that no version has. */
  check(): void {
    const probe = {} as StoredNode;
    this.#nodes.set(PROBE, probe);
    const found = this.#nodes.get(PROBE);
    this.#nodes.delete(PROBE);
    assert(found === probe, 'the cache gives back what was put into it');
  }
}

const PROBE = -1;

export const documentCache = (entriesMax: number): CountedDocumentCache =>
  new CountedDocumentCache(entriesMax);

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
