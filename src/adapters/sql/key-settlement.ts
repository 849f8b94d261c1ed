import {SortedRuns} from '../../base/sorted-runs.ts';
import {constraintViolation, ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {DraftState} from './draft-state.ts';
import type {Work} from './statement.ts';
import {abreast} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import type {Claim, UniqueKeys} from './unique-keys.ts';
import {byKey, checkClaim, freeKeys, keyPeers, keysAmong, takeKeys, uniqueKeys} from './unique-keys.ts';

/** Nodes looked at in one go: enough that statements are few, few enough that others get their turn. */
const NODES_PER_STEP = 100;
const NO_KEYS: UniqueKeys = new Map();

/** The unique keys that one write gives up and takes, settled when it ends. */
export class KeySettlement {
  readonly #state: DraftState;
  /** The keys that touched nodes held on this branch before the write. */
  readonly #before = new Map<number, UniqueKeys>();
  readonly #rechecked = new Set<number>();
  readonly #ids = new Map<number, NodeId>();

  constructor(state: DraftState) {
    this.#state = state;
  }

  /** Of a node that this write makes or brings back. */
  expect(serial: number, id: NodeId): void {
    this.#ids.set(serial, id);
    if (!this.#before.has(serial)) this.#before.set(serial, NO_KEYS);
  }

  /** To be called before the keys of a node may change: what it held is given up or kept in the end. */
  *remember(node: StoredNode): Work<void> {
    if (this.#before.has(node.serial)) return;
    this.#ids.set(node.serial, node.id);
    const isOwn = node.branch === this.#state.home(node.layout.shape.scope);
    this.#before.set(node.serial, isOwn ? yield* uniqueKeys(this.#state, node) : NO_KEYS);
  }

  /** Looks at the keys of these nodes again in the end, though they did not change: what they stand on will. */
  *recheck(serials: readonly number[]): Work<void> {
    const {reader} = this.#state;
    for (const node of yield* reader.load(yield* reader.versions(serials))) yield* this.remember(node);
    for (const serial of serials) this.#rechecked.add(serial);
  }

  *settle(): Work<void> {
    for (const step of this.steps()) yield* step;
  }

  /**
   * First all keys that are given up, then all that are taken, so that values may be swapped. Each step is done before
   * the next is asked for, and what they have settled is settled.
   */
  *steps(): Generator<Work<void>> {
    const claims: Claim[] = [];
    const sorted = new SortedRuns<Claim>(byKey);
    const serials = [...this.#before.keys()];
    for (let from = 0; from < serials.length; from += NODES_PER_STEP)
      yield this.#giveUp(serials.slice(from, from + NODES_PER_STEP), claim => {
        claims.push(claim);
        sorted.add(claim);
      });
    this.#before.clear();
    this.#rechecked.clear();
    let areTaken = true;
    while (sorted.size > 0)
      yield this.#take(sorted.take(NODES_PER_STEP), () => {
        areTaken = false;
      });
    if (areTaken && this.#state.lineage.branch.length === 1) return;
    const refusals: ServiceError[] = [];
    for (let from = 0; from < claims.length; from += NODES_PER_STEP)
      yield this.#check(claims.slice(from, from + NODES_PER_STEP), areTaken, refusals);
    if (refusals.length > 0) throw allRefused(refusals);
  }

  *#take(claims: readonly Claim[], someAreNot: () => void): Work<void> {
    if (!(yield* takeKeys(this.#state, claims))) someAreNot();
  }

  *#check(claims: readonly Claim[], areTaken: boolean, refusals: ServiceError[]): Work<void> {
    const checks = claims.map(claim => refusalOf(checkClaim(this.#state, claim, areTaken)));
    for (const refusal of yield* abreast(checks)) if (refusal !== undefined) refusals.push(refusal);
  }

  *#giveUp(serials: readonly number[], wants: (claim: Claim) => void): Work<void> {
    const state = this.#state;
    const now = yield* this.#visible(serials);
    const peers = yield* keyPeers(state, now.values());
    for (const serial of serials) {
      const before = this.#before.get(serial)!;
      const node = now.get(serial);
      const keys = node === undefined ? NO_KEYS : keysAmong(node, peers);
      const given =
        before.size === 0 ? [] : [...before].filter(([constraint, key]) => keys.get(constraint) !== key);
      if (given.length > 0) {
        for (const branch of new Set([state.branch, state.home('agnostic')]))
          yield* freeKeys(state, serial, branch, given);
      }
      if (node === undefined || node.branch !== state.home(node.layout.shape.scope)) continue;
      for (const unique of node.layout.unique) {
        const key = keys.get(unique.serial);
        if (key === undefined) continue;
        if (before.get(unique.serial) === key && !this.#rechecked.has(serial)) continue;
        wants({node, unique, key});
      }
    }
  }

  /** The nodes as the write leaves them; most it has met. */
  *#visible(serials: readonly number[]): Work<ReadonlyMap<number, StoredNode>> {
    const {met, reader} = this.#state;
    const nodes = new Map<number, StoredNode>();
    const others: number[] = [];
    for (const serial of serials) {
      const node = met.get(this.#ids.get(serial)!);
      if (node === undefined) others.push(serial);
      else nodes.set(serial, node);
    }
    for (const node of yield* reader.load(yield* reader.versions(others))) nodes.set(node.serial, node);
    return nodes;
  }
}

function* refusalOf(claim: Work<void>): Work<ServiceError | undefined> {
  try {
    yield* claim;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CONSTRAINT_VIOLATION') return error;
    throw error;
  }
}

/** One refusal that names every claim: `claims` holds the facts of each. */
function allRefused(refusals: readonly ServiceError[]): ServiceError {
  const first = refusals[0]!;
  const rest = refusals.length === 1 ? '' : ` (and ${refusals.length - 1} more)`;
  return constraintViolation(`${first.message}${rest}`, {
    ...first.facts,
    claims: refusals.map(item => item.facts),
  });
}
