import {assert, must} from '../../base/assert.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {validationError} from '../../domain/errors.ts';
import type {Choice, Choices, Side} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {MergeMatterOfBranch, ThreeSchemas, UniqueClash} from '../../ports/merge-store.ts';
import {threeWayOf} from './branch-diff.ts';
import type {DraftState} from './draft-state.ts';
import type {DraftWork} from './draft-work.ts';
import type {GraphContext} from './graph-view.ts';
import {loadRecords} from './kind-records.ts';
import type {Base} from './lineage.ts';
import {hasStood, movedMatter} from './matter-moved.ts';
import {baseStatement, rebaseSteps} from './rebase-branch.ts';
import {Settling} from './settle-branch.ts';
import type {Statement, Work} from './statement.ts';
import {blind, only, read} from './statement.ts';
import type {TouchedSince} from './touched.ts';
import {touchedSince} from './touched.ts';
import {clashesOf} from './unique-clashes.ts';

/** A fork that a write has moved, to be known once the write is durable. */
export interface MovedFork {
  readonly branch: number;
  readonly base: Base;
  readonly movesKinds: boolean;
}

/** The moves of forks that one write makes. */
export class ForkMoves {
  readonly moved: MovedFork[] = [];
  /** What is left to do of settled branches when the write ends. */
  readonly #rest: Work<void>[] = [];
  readonly #context: GraphContext;
  readonly #work: DraftWork;
  readonly #stateOf: (branch: number, at: Instant) => Work<DraftState>;
  #fork: Instant;

  /** `fork` is the instant of the origin that a rebase moves to. */
  constructor(
    context: GraphContext,
    work: DraftWork,
    stateOf: (branch: number, at: Instant) => Work<DraftState>,
    fork: Instant,
  ) {
    this.#context = context;
    this.#work = work;
    this.#stateOf = stateOf;
    this.#fork = fork;
  }

  *matter(name: BranchName, prepared: MergeMatterOfBranch | undefined): Work<MergeMatterOfBranch> {
    const {serial} = this.#context.book.byName(name);
    const {at} = this.#work.state;
    if (prepared === undefined || !hasStood(this.#context, serial, at, prepared))
      return yield* matterOf(this.#context, serial, at);
    const known = yield* this.#moved(serial, prepared);
    const choices = yield* choicesOf(serial);
    return sameChoices(choices, known.choices) ? known : {...known, choices};
  }

  /** A rebase that lands in steps goes to its origin as it was weighed, whatever has moved there since. */
  *#moved(branch: number, prepared: MergeMatterOfBranch): Work<MergeMatterOfBranch> {
    const {state} = this.#work;
    const isMerge = branch !== state.branch;
    if (isMerge || this.#fork === state.at)
      return yield* movedMatter(this.#context, branch, state.at, prepared, isMerge);
    this.#fork = prepared.at;
    return prepared;
  }

  *clashes(name: BranchName): Work<readonly UniqueClash[]> {
    return yield* clashesOf(this.#context, this.#context.book.byName(name).serial, this.#work.state.at);
  }

  /** What the branch has had a word on since it was last settled: with that, its own word ends. */
  *touched(name: BranchName): Work<TouchedSince> {
    const {book} = this.#context;
    const {serial} = book.byName(name);
    this.#work.state.refuseHeld(serial);
    if (book.baseOf(serial)?.parent !== this.#work.state.branch) {
      throw validationError(`The branch ${name} does not stand on the branch it is merged into`);
    }
    return yield* touchedSince(serial, book.settledAt(serial));
  }

  /** The steps by which the branch's own word ends; what cannot be told apart from others' data ends with the write. */
  *settle(name: BranchName, touched: TouchedSince): Work<Iterable<Work<void>>> {
    const {state} = this.#work;
    const {serial} = this.#context.book.byName(name);
    const own = yield* this.#stateOf(serial, state.at);
    const settling = new Settling(state, own, touched);
    const base: Base = {since: state.at, parent: state.branch, fork: state.at, settles: true};
    this.#rest.push(this.#settleRest(settling, base));
    state.merges = serial;
    state.movesForks = true;
    state.touchesOthers = true;
    return settling.steps();
  }

  *#settleRest(settling: Settling, base: Base): Work<void> {
    const {branch} = settling;
    const movesKinds = yield* settling.rest();
    this.moved.push({branch, base, movesKinds});
    yield baseStatement(branch, base, movesKinds);
  }

  *finish(): Work<void> {
    for (const work of this.#rest) yield* work;
  }

  /** The steps by which the draft's branch moves; each is done before the next is asked for. */
  *rebase(): Generator<Work<void>> {
    assert(this.moved.length === 0, 'a write rebases once');
    const {book} = this.#context;
    const {state} = this.#work;
    const {parent} = must(book.baseOf(state.branch), 'a branch that stands on another');
    const base: Base = {since: state.at, parent, fork: this.#fork, settles: false};
    yield* rebaseSteps(this.#context, this.#work, base);
    state.rebasesOnto = parent;
    this.moved.push({branch: state.branch, base, movesKinds: false});
    this.#rest.push(only(baseStatement(state.branch, base, false)));
  }
}

/** All that a merge of a branch weighs. */
export function* matterOf(context: GraphContext, branch: number, at: Instant): Work<MergeMatterOfBranch> {
  const three = yield* threeWayOf(context, branch, at);
  return {
    ...three,
    at,
    schema: yield* threeSchemas(context, branch, at),
    choices: yield* choicesOf(branch),
  };
}

function* threeSchemas(context: GraphContext, branch: number, at: Instant): Work<ThreeSchemas | undefined> {
  const {book} = context;
  const base = book.baseOf(branch);
  const own = yield read('SELECT 1 FROM kind_ver WHERE branch = ?1 AND t = ?2 LIMIT 1', [branch, FOREVER]);
  if (base === undefined || own.length === 0) return undefined;
  const before = yield* loadRecords(book.lineage(base.parent, base.fork).branch);
  const ours = yield* loadRecords(book.lineage(branch, at).branch);
  const theirs = yield* loadRecords(book.lineage(base.parent, at).branch);
  return {base: [...before.values()], branch: [...ours.values()], origin: [...theirs.values()]};
}

/** Keeps a choice, or forgets it. */
export const choiceStatement = (branch: number, conflict: string, choice: Choice | null): Statement =>
  choice === null
    ? blind('DELETE FROM choice WHERE branch = ?1 AND conflict = ?2', [branch, conflict])
    : blind(
        `INSERT INTO choice (branch, conflict, side, fingerprint) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (branch, conflict) DO UPDATE SET side = excluded.side, fingerprint = excluded.fingerprint`,
        [branch, conflict, choice.side, choice.fingerprint],
      );

const sameChoices = (some: Choices, others: Choices): boolean =>
  some.size === others.size &&
  [...some].every(([conflict, {side, fingerprint}]) => {
    const other = others.get(conflict);
    return other?.side === side && other.fingerprint === fingerprint;
  });

function* choicesOf(branch: number): Work<Choices> {
  const rows = yield read('SELECT conflict, side, fingerprint FROM choice WHERE branch = ?1', [branch]);
  return new Map(
    rows.map(([conflict, side, fingerprint]) => [
      conflict as string,
      {side: side as Side, fingerprint: fingerprint as string},
    ]),
  );
}
