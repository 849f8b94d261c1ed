import {must} from '../../base/assert.ts';
import {backOffMillis} from '../../domain/task/back-off.ts';
import type {TaskPriority} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Log} from '../../ports/log.ts';
import type {Metrics} from '../../ports/metrics.ts';
import type {ClaimedTask, TaskNews, TaskQueue} from '../../ports/task-queue.ts';
import {Attempt} from './attempt.ts';
import {type AttemptOutcome, runAttempt} from './run-attempt.ts';
import {taskMeter} from './task-meter.ts';
import type {TaskHandler} from './workflow.ts';

const MICROS_PER_MILLI = 1000;
const MICROS_PER_SECOND = 1_000_000;
const TIMER_MILLIS_MAX = 0x7fff_ffff;
const FORGET_STEP = 500;
const FORGET_EVERY_MILLIS = 3_600_000;

const WAITING = {states: ['pending'], limit: 0, offset: 0, isCounted: true} as const;

export interface TaskWorkerOptions {
  readonly queue: TaskQueue;
  readonly handlers: readonly TaskHandler[];
  readonly log: Log;
  /** How many tasks run at a time; of more than one, one is kept for urgent tasks. */
  readonly parallelMax: number;
  /** A worker that is not heard of for this long has lost its tasks. */
  readonly leaseMillis: number;
  /** For how long tasks that are over are kept. */
  readonly keepMillis: number;
  readonly name: string;
  readonly metrics: Metrics;
}

/**
 * Does what the queue has for its handlers. It is woken by the commit that makes a task due, and by one timer for the
 * next that becomes due later; while there is nothing to do it does nothing.
 */
export class TaskWorker {
  readonly #options: TaskWorkerOptions;
  readonly #handlers: ReadonlyMap<string, TaskHandler>;
  readonly #running = new Map<Attempt, Promise<void>>();
  readonly #meter: ReturnType<typeof taskMeter>;
  #unwatch: (() => void) | undefined;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  #renewTimer: ReturnType<typeof setInterval> | undefined;
  #looking: Promise<void> | undefined;
  #looksAgain = false;
  #failures = 0;
  #lastProblem: Error | undefined;
  #forgotAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(options: TaskWorkerOptions) {
    this.#options = options;
    this.#meter = taskMeter(options.metrics);
    options.metrics.sampled({
      is: 'gauge',
      name: 'tasks_running',
      help: 'Tasks that this process is at.',
      read: () => [{value: this.#running.size}],
    });
    options.metrics.sampled({
      is: 'gauge',
      name: 'tasks_waiting',
      help: 'Tasks that are due and wait for a worker.',
      read: async () => [{value: (await options.queue.tasks(WAITING)).count ?? 0}],
    });
    this.#handlers = new Map(options.handlers.map(handler => [handler.workflow.name, handler]));
  }

  get running(): number {
    return this.#running.size;
  }

  /** Fails when the queue does not answer. */
  async check(): Promise<void> {
    if (this.#lastProblem !== undefined) throw this.#lastProblem;
    await this.#options.queue.nextDue([]);
  }

  start(): void {
    this.#unwatch = this.#options.queue.watch(news => this.#hear(news));
    this.#look();
  }

  /** Takes nothing more; what runs may end in this time, and is then given back for another to do. */
  async stop(millisMax: number): Promise<void> {
    this.#isStopping = true;
    this.#unwatch?.();
    clearTimeout(this.#dueTimer);
    await this.#looking;
    const ended = () => Promise.all(this.#running.values());
    await within(ended(), millisMax);
    for (const attempt of this.#running.keys()) attempt.abort('stopping');
    await ended();
    clearInterval(this.#renewTimer);
  }

  #hear(news: TaskNews): void {
    if (news.is === 'ready') {
      this.#look();
      return;
    }
    for (const attempt of this.#running.keys()) if (attempt.task.id === news.task) attempt.abort('cancelled');
  }

  #look(): void {
    if (this.#isStopping) return;
    this.#looksAgain = true;
    this.#looking ??= this.#takeWhatIsDue();
  }

  async #takeWhatIsDue(): Promise<void> {
    try {
      while (this.#looksAgain && !this.#isStopping) {
        this.#looksAgain = false;
        await this.#takeSome();
      }
      this.#failures = 0;
      this.#lastProblem = undefined;
    } catch (error) {
      this.#failures += 1;
      this.#lastProblem = error instanceof Error ? error : new Error(String(error));
      this.#options.log.error('tasks could not be taken from the queue', {error});
      this.#lookIn(backOffMillis(this.#failures, Math.random()));
    }
    this.#looking = undefined;
    if (this.#looksAgain) this.#look();
  }

  /** One slot is kept for urgent work: people wait for it, and what others do may take hours. */
  async #takeSome(): Promise<void> {
    const {queue, parallelMax} = this.#options;
    clearTimeout(this.#dueTimer);
    const free = parallelMax - this.#running.size;
    const kept = parallelMax > 1 ? 1 : 0;
    if (free <= 0) return;
    const claimed = await (free > kept ? this.#claim(free - kept, 'low') : this.#claim(free, 'high'));
    for (const item of claimed) this.#begin(item);
    if (claimed.length > 0) {
      this.#looksAgain = true;
    } else if (free > kept) {
      const due = await queue.nextDue(this.#openWorkflows());
      if (due !== undefined) this.#lookIn((due - queue.now()) / MICROS_PER_MILLI);
    }
  }

  #claim(limit: number, least: TaskPriority): Promise<readonly ClaimedTask[]> {
    const {queue, leaseMillis, name} = this.#options;
    const leaseMicros = leaseMillis * MICROS_PER_MILLI;
    const workflows = this.#openWorkflows();
    return queue.claim({worker: name, workflows, limit, least, limits: this.#limits(), leaseMicros});
  }

  #lookIn(millis: number): void {
    if (this.#isStopping) return;
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(
      () => this.#look(),
      Math.min(Math.max(1, Math.ceil(millis)), TIMER_MILLIS_MAX),
    );
  }

  /** How many more tasks of each workflow may run here, where it has a limit of its own. */
  #limits(): Readonly<Record<string, number>> {
    const limits: Record<string, number> = {};
    for (const {workflow} of this.#handlers.values()) {
      if (workflow.parallelMax === undefined) continue;
      const running = [...this.#running.keys()].filter(({task}) => task.workflow === workflow.name);
      limits[workflow.name] = workflow.parallelMax - running.length;
    }
    return limits;
  }

  #openWorkflows(): readonly string[] {
    const limits = this.#limits();
    return [...this.#handlers.keys()].filter(workflow => limits[workflow] !== 0);
  }

  #begin(claimed: ClaimedTask): void {
    const attempt = new Attempt(this.#options.queue, claimed);
    const ended = this.#run(attempt).finally(() => {
      this.#running.delete(attempt);
      if (this.#running.size === 0) {
        clearInterval(this.#renewTimer);
        this.#renewTimer = undefined;
      }
      this.#look();
    });
    this.#running.set(attempt, ended);
    this.#renewTimer ??= setInterval(() => void this.#renew(), this.#options.leaseMillis / 3);
  }

  async #renew(): Promise<void> {
    const {queue, leaseMillis, log} = this.#options;
    const attempts = [...this.#running.keys()];
    try {
      const leases = attempts.map(attempt => attempt.lease);
      const states = await queue.renew(leases, leaseMillis * MICROS_PER_MILLI);
      for (const [place, attempt] of attempts.entries()) {
        const state = states[place];
        if (state === 'cancelling') attempt.abort('cancelled');
        if (state === 'lost' && this.#running.has(attempt)) attempt.abort('lost');
      }
    } catch (error) {
      log.warning('the leases of tasks could not be renewed', {error});
    }
  }

  async #run(attempt: Attempt): Promise<void> {
    const {queue, log} = this.#options;
    const {task} = attempt;
    const handler = must(this.#handlers.get(task.workflow), task.workflow);
    const facts = {task: task.id, workflow: task.workflow, attempt: task.attempt, branch: task.branch};
    this.#meter.started(task.workflow, (queue.now() - task.dueAt) / MICROS_PER_SECOND);
    log.debug('task started', facts);
    const outcome = await runAttempt(handler, attempt, () => queue.now());
    const {durationMillis} = attempt;
    this.#meter.ended(task.workflow, outcome.is, durationMillis / 1000);
    if (outcome.is === 'failed')
      log.warning('task failed', {...facts, durationMillis, problem: outcome.problem});
    else
      log[handler.workflow.isFleeting ? 'debug' : 'info'](`task ${outcome.is}`, {...facts, durationMillis});
    try {
      await attempt.settled();
      await this.#tell(attempt, outcome);
    } catch (error) {
      log.error('the end of a task could not be written; its lease will run out', {...facts, error});
    }
    await this.#forgetOldOnes();
  }

  /** Work that has ended its task in its own commit is refused here, and need not be heard. */
  async #tell({lease, task}: Attempt, outcome: AttemptOutcome): Promise<void> {
    const {queue} = this.#options;
    const isFleeting = this.#handlers.get(task.workflow)?.workflow.isFleeting === true;
    if (outcome.is === 'completed' && isFleeting) await queue.end(lease, {is: 'forgotten'});
    else if (outcome.is === 'completed') await queue.complete(lease, outcome.result);
    else if (outcome.is !== 'lost') await queue.end(lease, outcome);
  }

  async #forgetOldOnes(): Promise<void> {
    const {queue, keepMillis, log} = this.#options;
    if (this.#isStopping || performance.now() - this.#forgotAt < FORGET_EVERY_MILLIS) return;
    this.#forgotAt = performance.now();
    try {
      const before = (queue.now() - keepMillis * MICROS_PER_MILLI) as Instant;
      while ((await queue.forget(before, FORGET_STEP)) === FORGET_STEP && !this.#isStopping);
    } catch (error) {
      log.warning('old tasks could not be removed', {error});
    }
  }
}

async function within(work: Promise<unknown>, millisMax: number): Promise<void> {
  const {promise: expired, resolve} = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, millisMax);
  await Promise.race([work, expired]);
  clearTimeout(timer);
}
