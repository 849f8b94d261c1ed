import type {NodeRecord} from '../../domain/graph/node.ts';
import {isKindOf, kindOf} from '../../domain/schema/lookup.ts';
import {resolvePath} from '../../domain/schema/paths.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {requireNode} from './find-node.ts';
import type {NodeReference} from './node-input.ts';

/**
 * Peers that the verbs of one write have found by name. Thousands of rows often name the same few objects, and a name
 * means the same until an object that could bear it is written.
 */
export class FoundPeers {
  readonly #draft: Draft;
  readonly #schema: Schema;
  readonly #byKind = new Map<string, Map<string, NodeRecord>>();
  readonly #isLasting = new Map<string, boolean>();

  constructor(draft: Draft, schema: Schema) {
    this.#draft = draft;
    this.#schema = schema;
  }

  async peer(kind: string, reference: NodeReference): Promise<NodeRecord> {
    const key = JSON.stringify([reference.id, reference.hfid]);
    const known = this.#byKind.get(kind)?.get(key);
    if (known !== undefined) return known;
    const node = await requireNode(this.#draft, this.#schema, kind, reference);
    if (this.#lasts(kind)) {
      const ofKind = this.#byKind.get(kind) ?? new Map<string, NodeRecord>();
      this.#byKind.set(kind, ofKind.set(key, node));
    }
    return node;
  }

  /** An object of this kind was written. */
  forget(kind: string): void {
    for (const asked of this.#byKind.keys()) {
      if (isKindOf(this.#schema, kind, asked)) this.#byKind.delete(asked);
    }
  }

  /** Whether names of the kind are made of its own attributes alone. */
  #lasts(name: string): boolean {
    const known = this.#isLasting.get(name);
    if (known !== undefined) return known;
    const kind = kindOf(this.#schema, name);
    const paths = [
      ...(kind?.human_friendly_id ?? []),
      ...(kind?.default_filter ? [kind.default_filter] : []),
    ];
    const lasts =
      kind !== undefined && paths.every(path => resolvePath(this.#schema, kind, path).is === 'attribute');
    this.#isLasting.set(name, lasts);
    return lasts;
  }
}

const ofDrafts = new WeakMap<Draft, FoundPeers>();

export function foundPeersOf(draft: Draft, schema: Schema): FoundPeers {
  const found = ofDrafts.get(draft) ?? new FoundPeers(draft, schema);
  ofDrafts.set(draft, found);
  return found;
}
