import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Claim} from '../../ports/merge-store.ts';
import {sealed, unsealed} from './sealed-text.ts';
import type {Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';
import type {Edge, Touching} from './touched.ts';

/*
 * A large merge lands in steps. Its rows begin, and the rows that they follow end, at an instant that lies beyond every
 * commit made meanwhile, so that nobody sees them before the last step. Until then a note beside them says what was
 * touched, by which they can be taken back after a failure or a crash.
 */
const FACTS_KEY = 'stage';
const NOTE_KEYS = `key > '${FACTS_KEY}.' AND key < '${FACTS_KEY}/'`;
const KEY_DIGITS = 8;
const TOUCHES_PER_NOTE_MAX = 200;

/** Where a write that lands in steps stands, as the database keeps it until its end. */
export interface StageFacts {
  readonly at: Instant;
  /** The branch that it writes. */
  readonly branch: number;
  /** The branch that nobody else writes to: the one that it merges, or the one that it rebases. */
  readonly held: number;
}

/** What some steps have touched on one branch. */
export interface StageNote {
  readonly branch: number;
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
}

/** What a write that lands in steps has claimed, and how far it is. */
export class Stage implements StageFacts {
  readonly at: Instant;
  readonly branch: number;
  readonly held: number;
  readonly #claimedIds: ReadonlySet<NodeId>;
  readonly #neededIds: ReadonlySet<NodeId>;
  /** What the steps have touched beyond that. */
  readonly #claimed = new Set<number>();
  readonly #needed = new Set<number>();
  #notes = 0;
  /** How much of what the draft has touched is noted. */
  #noted = {nodes: 0, copies: 0, edges: 0};

  constructor(facts: StageFacts, {nodes, peers}: Pick<Claim, 'nodes' | 'peers'>) {
    this.at = facts.at;
    this.branch = facts.branch;
    this.held = facts.held;
    this.#claimedIds = new Set(nodes);
    this.#neededIds = new Set(peers);
  }

  /** True when others may not write the node, nor its edges, before the end. */
  claims(id: NodeId, serial: number): boolean {
    return this.#claimedIds.has(id) || this.#claimed.has(serial);
  }

  /** True when others may not remove the node before the end. */
  needs(id: NodeId, serial: number): boolean {
    return this.claims(id, serial) || this.#neededIds.has(id) || this.#needed.has(serial);
  }

  *begin(): Work<void> {
    const {at, branch, held} = this;
    yield put(FACTS_KEY, {at, branch, held});
  }

  /** Notes what the draft has touched since the last time, and claims it. */
  *note({branch, touchedNodes, copiedNodes, touchedEdges}: Touching): Work<void> {
    const nodes = [...skip(touchedNodes, this.#noted.nodes), ...skip(copiedNodes, this.#noted.copies)];
    const edges = [...skip(touchedEdges.values(), this.#noted.edges)];
    this.#noted = {nodes: touchedNodes.size, copies: copiedNodes.size, edges: touchedEdges.size};
    for (const node of nodes) this.#claimed.add(node);
    for (const [source, , target] of edges) {
      if (this.#claimed.has(source)) this.#needed.add(target);
      else if (this.#claimed.has(target)) this.#needed.add(source);
      else this.#claimed.add(source).add(target);
    }
    yield* this.noteAll({branch, nodes, edges});
  }

  /** Notes what is going to be touched. */
  *noteAll({branch, nodes, edges}: StageNote): Work<void> {
    const length = Math.max(nodes.length, edges.length);
    for (let from = 0; from < length; from += TOUCHES_PER_NOTE_MAX) {
      const until = from + TOUCHES_PER_NOTE_MAX;
      this.#notes += 1;
      const key = `${FACTS_KEY}.${String(this.#notes).padStart(KEY_DIGITS, '0')}`;
      yield put(key, {branch, nodes: nodes.slice(from, until), edges: edges.slice(from, until)});
    }
  }
}

function* skip<T>(items: Iterable<T>, count: number): Generator<T> {
  let place = 0;
  for (const item of items) {
    if (place >= count) yield item;
    place += 1;
  }
}

const put = (key: string, value: StageFacts | StageNote): Statement =>
  blind('INSERT INTO meta (key, value) VALUES (?1, ?2)', [key, sealed(JSON.stringify(value))]);

/** The stage under way, as far as the database shows one. */
export function* stageFacts(): Work<StageFacts | undefined> {
  const [row] = yield read('SELECT value FROM meta WHERE key = ?1', [FACTS_KEY]);
  return row === undefined ? undefined : (parse(row[0] as string) as StageFacts);
}

/** A note that is left, with the key by which it is forgotten. */
export function* nextNote(): Work<(StageNote & {readonly key: string}) | undefined> {
  const [row] = yield read(`SELECT key, value FROM meta WHERE ${NOTE_KEYS} ORDER BY key LIMIT 1`, []);
  return row === undefined ? undefined : {...(parse(row[1] as string) as StageNote), key: row[0] as string};
}

export const forgetNote = (key: string): Statement => blind('DELETE FROM meta WHERE key = ?1', [key]);

/** The write is whole, or taken back as a whole. */
export function* forgetStage(): Work<void> {
  yield blind(`DELETE FROM meta WHERE key = '${FACTS_KEY}' OR (${NOTE_KEYS})`, []);
}

const parse = (stored: string): unknown => JSON.parse(unsealed(stored, 'The note of a merge under way'));
