import {BoundedMap} from '../../base/bounded-map.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Author, Written} from '../../ports/graph-store.ts';
import type {MergeDraft} from '../../ports/merge-store.ts';
import type {CommitInstants} from './commit-instants.ts';
import {commitStatement, operationOf} from './commit-log.ts';
import type {Counters} from './counters.ts';
import {draftCache} from './document-cache.ts';
import {DraftState} from './draft-state.ts';
import {DraftWork} from './draft-work.ts';
import {ForkMoves} from './fork-moves.ts';
import type {GraphContext} from './graph-view.ts';
import {hasIndexIn, hasUniqueIn, indexKeepers, layoutOf} from './graph-view.ts';
import type {Driver, Job, JobResult, SteppedJob, Turns} from './job.ts';
import {InTheWay} from './job.ts';
import type {Staging} from './landing.ts';
import {Landing} from './landing.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import {SqlDraft} from './sql-draft.ts';
import type {Work} from './statement.ts';
import {only} from './statement.ts';
import type {TaskDesk} from './task-desk.ts';
import {touchedText} from './touched.ts';

const MICROS_PER_CHANGE = 20;
const MICROS_GROWTH = 1.25;
const BRANCHES_TIMED_MAX = 100;

/** What the jobs of the write queue work with. */
export interface JobParts {
  readonly driver: Driver;
  readonly context: GraphContext;
  readonly instants: CommitInstants;
  readonly counters: Counters;
  readonly tasks: TaskDesk;
  readonly staging: Staging;
}

type Body<T> = (draft: MergeDraft) => Promise<T>;

/** Writes of bodies through drafts, one commit each. */
export class DraftJobs {
  readonly #parts: JobParts;
  /**
   * What a change is expected to take in a merge into a branch, or its rebase, that lands in steps. Rather too little than
   * too much: one that is late holds up the clock, one that is early waits.
   */
  readonly #microsPerChange = new BoundedMap<BranchName, number>(BRANCHES_TIMED_MAX);

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  job<T>(branch: BranchName, author: Author, body: Body<T>): Job<Written<T>> {
    const {counters, instants} = this.#parts;
    const before = {...counters};
    return {
      run: () => {
        Object.assign(before, counters);
        return this.#run(branch, author, body, () => instants.next());
      },
      undo: () => this.#undo(before),
    };
  }

  /** A write of about so many changes, between whose steps others write. */
  stepped<T>(branch: BranchName, author: Author, body: Body<T>, changes: number): SteppedJob<Written<T>> {
    return {land: turns => this.#land(branch, author, body, changes, turns)};
  }

  async #land<T>(
    branch: BranchName,
    author: Author,
    body: Body<T>,
    changes: number,
    turns: Turns,
  ): Promise<Written<T>> {
    const {instants, staging} = this.#parts;
    const landing = new Landing(this.#parts, turns);
    try {
      const micros = this.#microsPerChange.get(branch) ?? MICROS_PER_CHANGE;
      const at = instants.ahead(changes * micros);
      const {value, publish} = await this.#run(branch, author, body, () => at, landing);
      landing.commit();
      publish?.();
      if (landing.millisTaken > 0) {
        const taken = (landing.millisTaken * 1000) / changes;
        this.#microsPerChange.set(branch, Math.min(taken, micros * MICROS_GROWTH));
      }
      return value;
    } catch (error) {
      await landing.takeBack();
      throw error;
    } finally {
      staging.current = undefined;
      instants.over();
    }
  }

  async #run<T>(
    name: BranchName,
    author: Author,
    body: Body<T>,
    instant: () => Instant,
    landing?: Landing,
  ): Promise<JobResult<Written<T>>> {
    const {context, driver, counters, tasks, instants, staging} = this.#parts;
    const {book} = context;
    const {serial} = book.byName(name);
    if (staging.current?.held === serial) throw new InTheWay();
    const at = instant();
    const state = await driver.drive(this.#stateOf(serial, at));
    const work = new DraftWork(state);
    const stateOf = (branch: number, until: Instant) => this.#stateOf(branch, until);
    const forks = new ForkMoves(context, work, stateOf, landing?.committed ?? at);
    const draft = new SqlDraft(driver, work, name, author.message ?? '', tasks, forks, landing);
    let value: T;
    try {
      value = await body(draft);
      await draft.finish();
    } catch (error) {
      throw state.isInTheWay ? new InTheWay() : error;
    } finally {
      draft.abandon();
    }
    const tellTasks = () => {
      if (draft.hasTaskNews) tasks.tell({is: 'ready'});
    };
    if (!state.hasChanges) return {value: {value, commit: undefined}, publish: tellTasks};
    const operation = operationOf(state);
    const commit = commitStatement(serial, at, operation, author, draft.message, state, touchedText(state));
    await driver.drive(only(commit));
    if (landing !== undefined) await driver.drive(landing.finish());
    book.moveHead(serial, at);
    book.moveHead(GLOBAL_SERIAL, at);
    if (state.touchesOthers) book.moveAllHeads(at);
    const changesSchema = state.touchedKinds.size > 0;
    return {
      value: {value, commit: at},
      commit,
      standsAlone: changesSchema || forks.moved.length > 0,
      publish: () => {
        for (const {branch, base, movesKinds} of forks.moved) {
          book.addBase(branch, base);
          if (movesKinds) context.instants.add(branch, at);
        }
        const isPlain = !changesSchema && !state.touchesOthers && !state.movesForks;
        instants.publish(at, isPlain ? state.kindsOfTouched : undefined);
        counters.durable = counters.version;
        context.names.settle();
        if (changesSchema) context.instants.add(serial, at);
        tellTasks();
      },
    };
  }

  *#stateOf(branch: number, at: Instant): Work<DraftState> {
    const {context, counters, staging} = this.#parts;
    const {book, names, dialect, cache, defaultBranch} = context;
    const lineage = book.lineage(branch, at);
    const layout = yield* layoutOf(context, lineage);
    const keepers = yield* indexKeepers(context, lineage, branch, at);
    const isDefault = branch === defaultBranch;
    return new DraftState({
      branch,
      at,
      lineage,
      layout,
      names,
      dialect,
      cache: draftCache(cache, counters.durable),
      counters,
      canonical: kind => (isDefault ? undefined : keepers.shared?.bySerial.get(kind.serial)),
      hasIndex: hasIndexIn(keepers),
      hasUnique: hasUniqueIn(keepers),
      claimed: staging.current?.at === at ? undefined : staging.current,
    });
  }

  async #undo(before: Counters): Promise<void> {
    const {counters, context, driver} = this.#parts;
    Object.assign(counters, before);
    if (context.names.isUnsettled) await driver.drive(context.names.reload());
  }
}
