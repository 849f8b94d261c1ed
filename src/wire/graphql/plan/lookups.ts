import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {Found} from '../../../ports/graph-store.ts';
import type {FieldContext} from '../engine.ts';
import type {LevelPlan} from './include-plan.ts';
import type {Variables} from './list-request.ts';

/** A field that leads to an object by its id: all such objects of an answer are read together. */
export interface LookupPlan {
  readonly kind: string;
  readonly level: LevelPlan;
}

/** A field whose value must be loaded for each object by itself. */
export interface DeferredPlan {
  load(source: unknown, context: FieldContext): Promise<unknown>;
}

type Slot = {readonly found: Map<NodeId, Found | null>; readonly wanted: Set<NodeId>};

/**
 * What one answer looked up. A writer that meets an object not yet read asks for it and writes on; when it is
 * through, everything asked for is read at once and the answer is written again. So the number of reads depends on
 * how deep such fields stand in each other, not on the number of objects.
 */
export class Lookups {
  #isSettled = true;
  readonly #slots = new Map<LookupPlan, Slot>();
  readonly #authors = new Map<Instant, NodeId | null>();
  readonly #instants = new Set<Instant>();
  readonly #loaded = new Map<DeferredPlan, Map<string, unknown>>();
  #pending: {readonly plan: DeferredPlan; readonly key: string; readonly source: unknown}[] = [];

  /** Nothing was asked for that is not there. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  find(plan: LookupPlan, id: NodeId | null): Found | null {
    if (id === null) return null;
    const slot = this.#slots.get(plan) ?? {found: new Map(), wanted: new Set()};
    this.#slots.set(plan, slot);
    const known = slot.found.get(id);
    if (known !== undefined) return known;
    slot.wanted.add(id);
    this.#isSettled = false;
    return null;
  }

  author(instant: Instant): NodeId | null {
    const known = this.#authors.get(instant);
    if (known !== undefined) return known;
    this.#instants.add(instant);
    this.#isSettled = false;
    return null;
  }

  deferred(plan: DeferredPlan, key: string, source: unknown): unknown {
    const ofPlan = this.#loaded.get(plan) ?? new Map<string, unknown>();
    this.#loaded.set(plan, ofPlan);
    if (ofPlan.has(key)) return ofPlan.get(key);
    if (!this.#pending.some(each => each.plan === plan && each.key === key)) {
      this.#pending.push({plan, key, source});
      this.#isSettled = false;
    }
    return null;
  }

  /** Reads what was asked for since the last time. */
  async settle(context: FieldContext, variables: Variables): Promise<void> {
    const {snapshot, services, view} = context;
    const slots = [...this.#slots].filter(([, {wanted}]) => wanted.size > 0);
    this.#isSettled = true;
    await this.#loadPending(context);
    if (this.#instants.size > 0) {
      const instants = [...this.#instants];
      this.#instants.clear();
      const authors = await services.store.authors(instants);
      for (const instant of instants) this.#authors.set(instant, authors.get(instant) ?? null);
    }
    for (const [plan, {found, wanted}] of slots) {
      const ids = [...wanted];
      wanted.clear();
      const include = plan.level.bind(variables, view);
      const page = await snapshot.query({
        kind: plan.kind,
        where: {is: 'id', in: ids},
        ...(include.length === 0 ? {} : {include}),
      });
      for (const id of ids) found.set(id, null);
      for (const item of page.found) if (view.shows(item.node.kind)) found.set(item.node.id, item);
    }
  }

  async #loadPending(context: FieldContext): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    const {historiesMax} = context.list.limits;
    if (pending.length > historiesMax) {
      throw validationError(
        `The history of ${pending.length} objects was asked for; at most ${historiesMax} at once`,
      );
    }
    for (const {plan, key, source} of pending) {
      this.#loaded.get(plan)?.set(key, await plan.load(source, context));
    }
  }
}
