import type {Instant} from '../../domain/time/instant.ts';
import type {Claim} from '../../ports/merge-store.ts';
import type {CommitInstants} from './commit-instants.ts';
import type {Counters} from './counters.ts';
import type {DraftState} from './draft-state.ts';
import type {GraphContext} from './graph-view.ts';
import type {Driver, NextTurn, Turns} from './job.ts';
import {mixedKinds} from './settle-branch.ts';
import {forgetStage, Stage} from './stage.ts';
import type {Work} from './statement.ts';
import {takeBackSome} from './take-back.ts';
import type {TouchedSince} from './touched.ts';

/** Others wait hardly longer, and what the end of a turn costs stays small beside it. */
const TURN_MILLIS = 18;
/** What a turn has to write for at the least, however long its end takes. */
const TURN_SHARE_MIN = 1 / 3;
const RETRIES_MAX = 10;
const RETRY_MILLIS = 1000;

/** The stage of the write that lands in steps at this moment, which all other writes respect. */
export class Staging {
  /** A turn takes about this long, its end included. */
  readonly turnMillis: number;
  current: Stage | undefined;

  constructor(turnMillis = TURN_MILLIS) {
    this.turnMillis = turnMillis;
  }
}

export interface LandingParts {
  readonly driver: Driver;
  readonly context: GraphContext;
  readonly instants: CommitInstants;
  readonly counters: Counters;
  readonly staging: Staging;
}

/** The way of one write that lands in steps, from its first turn to its last. */
export class Landing {
  readonly #parts: LandingParts;
  readonly #turns: Turns;
  readonly #start = performance.now();
  #turnStart = this.#start;
  #endMillis = 0;
  #millisTaken = 0;
  #countersBefore: Counters;
  /** The last commit before it: what it sees of other branches. */
  readonly committed: Instant;

  constructor(parts: LandingParts, turns: Turns) {
    this.#parts = parts;
    this.#turns = turns;
    this.committed = parts.instants.committed;
    this.#countersBefore = {...parts.counters};
  }

  /** True when others have waited long enough. */
  get isDue(): boolean {
    const {turnMillis} = this.#parts.staging;
    const due = Math.max(turnMillis - this.#endMillis, turnMillis * TURN_SHARE_MIN);
    return performance.now() - this.#turnStart >= due;
  }

  /** From here on others may write in between; false when that cannot be, for what was written before or is claimed. */
  *begin(state: DraftState, claim: Claim): Work<boolean> {
    const {book} = this.#parts.context;
    if (state.hasChanges || state.names.hasNew) return false;
    const mixed = mixedKinds(state.layout);
    const areWhole = claim.kinds.every(name => {
      const kind = state.layout.kinds.get(name);
      return kind !== undefined && kind.shape.scope === 'aware' && !mixed.has(kind);
    });
    if (!areWhole) return false;
    const held = book.byName(claim.branch).serial;
    const stage = new Stage({at: state.at, branch: state.branch, held}, claim);
    yield* stage.begin();
    this.#parts.staging.current = stage;
    // Readers of earlier instants look at what has ended as well.
    for (const each of [state.branch, held]) book.moveHead(each, state.at);
    return true;
  }

  /** Before the merged branch's own word is ended: what that will touch. */
  *noteMerged(touched: TouchedSince): Work<void> {
    const stage = this.#parts.staging.current;
    if (stage !== undefined) yield* stage.noteAll({branch: stage.held, ...touched});
  }

  /** Makes the steps so far durable, and lets others write. */
  handOver(state: DraftState): Promise<void> {
    return this.#giveTurn(state, {});
  }

  /** How long it took until its last turn. */
  get millisTaken(): number {
    return this.#millisTaken;
  }

  /** The last turn comes when the instant of the commit is there. */
  last(state: DraftState): Promise<void> {
    this.#millisTaken = performance.now() - this.#start;
    return this.#giveTurn(state, {after: this.#parts.instants.microsUntilAhead / 1000, isLast: true});
  }

  async #giveTurn(state: DraftState, next: NextTurn): Promise<void> {
    const {driver, counters, instants, staging} = this.#parts;
    const stage = staging.current;
    if (stage === undefined) return;
    const end = performance.now();
    await driver.drive(stage.note(state));
    this.#turns.commit();
    this.#endMillis = performance.now() - end;
    counters.durable = counters.version;
    const committed: Instant = instants.committed;
    await this.#turns.next(next);
    this.#beginTurn();
    // To a branch that is rebased nobody else has written.
    if (instants.committed !== committed && stage.held !== stage.branch)
      state.forgetUnless((id, serial) => stage.claims(id, serial));
  }

  /** The write is whole. */
  *finish(): Work<void> {
    if (this.#parts.staging.current !== undefined) yield* forgetStage();
  }

  commit(): void {
    this.#turns.commit();
  }

  /** Nothing of the write is left when this returns; until then its claims hold. */
  async takeBack(): Promise<void> {
    const {driver, context, counters, staging} = this.#parts;
    this.#turns.takeBack();
    Object.assign(counters, this.#countersBefore);
    if (context.names.isUnsettled) await driver.drive(context.names.reload());
    if (staging.current === undefined) return;
    for (let tries = 0; ; ) {
      try {
        const isDone = await driver.drive(takeBackSome(context));
        this.#turns.commit();
        if (isDone) return;
        await this.#turns.next();
      } catch (error) {
        tries += 1;
        if (tries > RETRIES_MAX) {
          this.#turns.breakOff(error);
          throw error;
        }
        await this.#turns.next({after: RETRY_MILLIS});
      }
    }
  }

  #beginTurn(): void {
    this.#turnStart = performance.now();
    this.#countersBefore = {...this.#parts.counters};
  }
}
