import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {Found, GraphStore, Snapshot} from '../../../ports/graph-store.ts';
import type {LevelPlan} from './include-plan.ts';
import type {Variables} from './list-request.ts';

/** A field that leads to an object by its id: all such objects of an answer are read together. */
export interface LookupPlan {
  readonly kind: string;
  readonly level: LevelPlan;
}

export interface LookupReads {
  readonly snapshot: Snapshot;
  readonly store: Pick<GraphStore, 'authors'>;
}

type Slot = {readonly found: Map<NodeId, Found | null>; readonly wanted: Set<NodeId>};

/**
 * What one answer looked up. A writer that meets an object not yet read asks for it and writes on; when it is
 * through, everything asked for is read at once and the answer is written again. So the number of reads depends on
 * how deep such fields stand in each other, not on the number of objects.
 */
export class Lookups {
  readonly #slots = new Map<LookupPlan, Slot>();
  readonly #authors = new Map<Instant, NodeId | null>();
  readonly #instants = new Set<Instant>();

  find(plan: LookupPlan, id: NodeId | null): Found | null {
    if (id === null) return null;
    const slot = this.#slots.get(plan) ?? {found: new Map(), wanted: new Set()};
    this.#slots.set(plan, slot);
    const known = slot.found.get(id);
    if (known === undefined) slot.wanted.add(id);
    return known ?? null;
  }

  author(instant: Instant): NodeId | null {
    const known = this.#authors.get(instant);
    if (known === undefined) this.#instants.add(instant);
    return known ?? null;
  }

  /** Reads what was asked for since the last time; false when nothing was. */
  async settle({snapshot, store}: LookupReads, variables: Variables): Promise<boolean> {
    const slots = [...this.#slots].filter(([, {wanted}]) => wanted.size > 0);
    if (slots.length === 0 && this.#instants.size === 0) return false;
    if (this.#instants.size > 0) {
      const instants = [...this.#instants];
      this.#instants.clear();
      const authors = await store.authors(instants);
      for (const instant of instants) this.#authors.set(instant, authors.get(instant) ?? null);
    }
    for (const [plan, {found, wanted}] of slots) {
      const ids = [...wanted];
      wanted.clear();
      const include = plan.level.bind(variables);
      const page = await snapshot.query({
        kind: plan.kind,
        where: {is: 'id', in: ids},
        ...(include.length === 0 ? {} : {include}),
      });
      for (const id of ids) found.set(id, null);
      for (const item of page.found) found.set(item.node.id, item);
    }
    return true;
  }
}
