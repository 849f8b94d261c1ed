import type {TaskSeverity} from '../../domain/task/task.ts';
import type {ClaimedTask, NewLogLine, TaskQueue} from '../../ports/task-queue.ts';
import type {TaskRun} from './workflow.ts';

/** Why an attempt was told to end. */
export type AbortCause = 'cancelled' | 'lost' | 'stopping' | 'timeout';

export class AttemptAborted extends Error {
  override readonly cause: AbortCause;
  constructor(cause: AbortCause) {
    super(`the attempt was told to end: ${cause}`);
    this.cause = cause;
  }
}

/** One attempt at a task: what its handler tells goes to the queue, one report after the other. */
export class Attempt implements TaskRun {
  readonly task: ClaimedTask['task'];
  readonly lease: ClaimedTask['lease'];
  readonly #queue: TaskQueue;
  readonly #abort = new AbortController();
  readonly #startMillis = performance.now();
  #lines: NewLogLine[] = [];
  #progress: number | undefined;
  #reporting: Promise<void> | undefined;

  constructor(queue: TaskQueue, {task, lease}: ClaimedTask) {
    this.#queue = queue;
    this.task = task;
    this.lease = lease;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get durationMillis(): number {
    return performance.now() - this.#startMillis;
  }

  /** Undefined while nobody has told it to end. */
  get aborted(): AbortCause | undefined {
    return this.signal.aborted ? (this.signal.reason as AttemptAborted).cause : undefined;
  }

  abort(cause: AbortCause): void {
    if (!this.signal.aborted) this.#abort.abort(new AttemptAborted(cause));
  }

  log(severity: TaskSeverity, message: string): void {
    this.#lines.push({at: this.#queue.now(), severity, message});
    this.#reporting ??= this.#report();
  }

  progress(fraction: number): void {
    this.#progress = Math.min(1, Math.max(0, fraction));
    this.#reporting ??= this.#report();
  }

  /** All that was told is with the queue. */
  async settled(): Promise<void> {
    await this.#reporting;
  }

  /** What is told while a report is under way goes along with the next one. */
  async #report(): Promise<void> {
    await Promise.resolve();
    while (this.#lines.length > 0 || this.#progress !== undefined) {
      const logs = this.#lines;
      const progress = this.#progress;
      this.#lines = [];
      this.#progress = undefined;
      try {
        const state = await this.#queue.report(this.lease, {
          logs,
          ...(progress === undefined ? {} : {progress}),
        });
        if (state === 'cancelling') this.abort('cancelled');
      } catch {
        // A log that cannot be written is no reason to give up the work; the end of the task will tell.
      }
    }
    this.#reporting = undefined;
  }
}
