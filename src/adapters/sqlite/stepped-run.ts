import type {NextTurn, SteppedJob, Turns} from '../sql/job.ts';

/** What the turns of a stepped job do to the transaction under way. */
export type TurnEnds = Omit<Turns, 'next'>;

/** A stepped job under way. Whoever has the queue begins each turn, and waits until the job gives it away. */
export class SteppedRun {
  readonly #job: SteppedJob<unknown>;
  readonly #ends: TurnEnds;
  readonly #outcome = Promise.withResolvers<unknown>();
  /** Resolved when the turn under way is given away; true when it was the last. */
  #turn: PromiseWithResolvers<boolean> | undefined;
  /** What the job waits for between its turns. */
  #waits: PromiseWithResolvers<void> | undefined;
  #restsUntil = 0;
  #isDurable = true;

  constructor(job: SteppedJob<unknown>, ends: TurnEnds) {
    this.#job = job;
    this.#ends = ends;
  }

  get outcome(): Promise<unknown> {
    return this.#outcome.promise;
  }

  /** True while it does not want its next turn yet. */
  get isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** False when its next turn is neither the first nor meant to be the last: then others follow. */
  get isDurable(): boolean {
    return this.#isDurable;
  }

  /** Gives it a turn, inside a transaction; true when it has ended. */
  turn(): Promise<boolean> {
    this.#turn = Promise.withResolvers<boolean>();
    const {promise} = this.#turn;
    if (this.#waits === undefined) this.#start();
    else this.#waits.resolve();
    return promise;
  }

  /** There is no next turn for it; resolved when it has ended. */
  async refuse(reason: Error): Promise<void> {
    if (this.#waits === undefined) {
      this.#outcome.reject(reason);
      return;
    }
    for (let hasEnded = false; !hasEnded; ) {
      this.#turn = Promise.withResolvers<boolean>();
      const {promise} = this.#turn;
      this.#waits.reject(reason);
      hasEnded = await promise;
    }
  }

  #start(): void {
    const next = async ({after = 0, isLast = false}: NextTurn = {}) => {
      this.#restsUntil = after === 0 ? 0 : performance.now() + after;
      this.#isDurable = isLast;
      this.#waits = Promise.withResolvers<void>();
      this.#turn?.resolve(false);
      await this.#waits.promise;
    };
    void this.#job
      .land({...this.#ends, next})
      .then(this.#outcome.resolve, this.#outcome.reject)
      .finally(() => this.#turn?.resolve(true));
  }
}
