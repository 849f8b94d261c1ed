import type {BranchName} from '../../domain/branch/branch.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Author, Written} from '../../ports/graph-store.ts';
import type {MergeDraft} from '../../ports/merge-store.ts';
import type {CommitInstants} from './commit-instants.ts';
import {commitStatement} from './commit-log.ts';
import type {Counters} from './counters.ts';
import {draftCache} from './document-cache.ts';
import {DraftState} from './draft-state.ts';
import {DraftWork} from './draft-work.ts';
import {ForkMoves} from './fork-moves.ts';
import type {GraphContext} from './graph-view.ts';
import {hasIndexIn, hasUniqueIn, indexKeepers, layoutOf} from './graph-view.ts';
import type {Driver, Job, JobResult} from './job.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import {SqlDraft} from './sql-draft.ts';
import type {Work} from './statement.ts';
import {only} from './statement.ts';
import type {TaskDesk} from './task-desk.ts';
import {touchedText} from './touched.ts';

/** Writes of bodies through drafts, one commit each. */
export class DraftJobs {
  readonly #driver: Driver;
  readonly #context: GraphContext;
  readonly #instants: CommitInstants;
  readonly #counters: Counters;
  readonly #tasks: TaskDesk;

  constructor(
    driver: Driver,
    context: GraphContext,
    instants: CommitInstants,
    counters: Counters,
    tasks: TaskDesk,
  ) {
    this.#driver = driver;
    this.#context = context;
    this.#instants = instants;
    this.#counters = counters;
    this.#tasks = tasks;
  }

  job<T>(branch: BranchName, author: Author, body: (draft: MergeDraft) => Promise<T>): Job<Written<T>> {
    const before = {...this.#counters};
    return {
      run: () => {
        Object.assign(before, this.#counters);
        return this.#run(branch, author, body);
      },
      undo: () => this.#undo(before),
    };
  }

  async #run<T>(
    name: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
  ): Promise<JobResult<Written<T>>> {
    const {book} = this.#context;
    const {serial} = book.byName(name);
    const at = this.#instants.next();
    const state = await this.#driver.drive(this.#stateOf(serial, at));
    const work = new DraftWork(state);
    const forks = new ForkMoves(this.#context, work, (branch, instant) => this.#stateOf(branch, instant));
    const draft = new SqlDraft(this.#driver, work, name, author.message ?? '', this.#tasks, forks);
    let value: T;
    try {
      value = await body(draft);
      await draft.finish();
    } finally {
      draft.abandon();
    }
    const tellTasks = () => {
      if (draft.hasTaskNews) this.#tasks.tell({is: 'ready'});
    };
    if (!state.hasChanges) return {value: {value, commit: undefined}, publish: tellTasks};
    const op = state.touchesOthers ? 'write.others' : state.writesGlobal ? 'write.global' : 'write';
    const commit = commitStatement(serial, at, op, author, draft.message, state, touchedText(state));
    await this.#driver.drive(only(commit));
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
          if (movesKinds) this.#context.instants.add(branch, at);
        }
        const isPlain = !changesSchema && !state.touchesOthers && !state.movesForks;
        this.#instants.publish(at, isPlain ? state.kindsOfTouched : undefined);
        this.#counters.durable = this.#counters.version;
        this.#context.names.settle();
        if (changesSchema) this.#context.instants.add(serial, at);
        tellTasks();
      },
    };
  }

  *#stateOf(branch: number, at: Instant): Work<DraftState> {
    const {book, names, dialect, cache, defaultBranch} = this.#context;
    const lineage = book.lineage(branch, at);
    const layout = yield* layoutOf(this.#context, lineage);
    const keepers = yield* indexKeepers(this.#context, lineage, branch, at);
    const isDefault = branch === defaultBranch;
    return new DraftState({
      branch,
      at,
      lineage,
      layout,
      names,
      dialect,
      cache: draftCache(cache, this.#counters.durable),
      counters: this.#counters,
      canonical: kind => (isDefault ? undefined : keepers.shared?.bySerial.get(kind.serial)),
      hasIndex: hasIndexIn(keepers),
      hasUnique: hasUniqueIn(keepers),
    });
  }

  async #undo(before: Counters): Promise<void> {
    Object.assign(this.#counters, before);
    if (this.#context.names.isUnsettled) await this.#driver.drive(this.#context.names.reload());
  }
}
