import type {Json} from '../../base/json.ts';
import {nodeNotFound} from '../../domain/errors.ts';
import type {NewTask, Task, TaskId} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {
  AttemptEnd,
  ClaimedTask,
  ClaimRequest,
  LeaseState,
  TaskLease,
  TaskLogPage,
  TaskNews,
  TaskPage,
  TaskQuery,
  TaskQueue,
  TaskReport,
} from '../../ports/task-queue.ts';
import type {Dialect} from './dialect.ts';
import type {Work} from './statement.ts';
import type {TaskDesk} from './task-desk.ts';
import {
  cancelTask,
  claimTasks,
  completeTask,
  endAttempt,
  nextDue,
  renewLeases,
  reportOn,
} from './task-leases.ts';
import {findTasks, forgetTasks, logsOf, taskById} from './task-reader.ts';
import {enqueueTask} from './task-writer.ts';

/** How an engine carries the steps of a queue. */
export interface TaskCarrier {
  readonly dialect: Dialect;
  read<T>(workAt: (now: Instant) => Work<T>): Promise<T>;
  /** Each is a transaction; `told` is called once it is durable. */
  write<T>(workAt: (now: Instant) => Work<T>, told: () => void): Promise<T>;
}

/** The tasks beside the graph, in the same database. Rows decide who gets a task. */
export class SqlTaskQueue implements TaskQueue {
  readonly #carrier: TaskCarrier;
  readonly #desk: TaskDesk;

  constructor(carrier: TaskCarrier, desk: TaskDesk) {
    this.#carrier = carrier;
    this.#desk = desk;
  }

  now(): Instant {
    return this.#desk.now();
  }

  async enqueue(task: NewTask): Promise<TaskId> {
    const id = this.#desk.newId();
    return this.#write(now => enqueueTask(task, id, now), {is: 'ready'});
  }

  claim(request: ClaimRequest): Promise<readonly ClaimedTask[]> {
    return this.#write(now => claimTasks(request, now, this.#carrier.dialect));
  }

  nextDue(workflows: readonly string[]): Promise<Instant | undefined> {
    return this.#carrier.read(() => nextDue(workflows, this.#carrier.dialect));
  }

  renew(leases: readonly TaskLease[], leaseMicros: number): Promise<readonly LeaseState[]> {
    return this.#write(now => renewLeases(leases, now + leaseMicros));
  }

  report(lease: TaskLease, report: TaskReport): Promise<LeaseState> {
    return this.#write(now => reportOn(lease, report, now));
  }

  complete(lease: TaskLease, result: Json): Promise<boolean> {
    return this.#write(now => completeTask({lease, result}, now));
  }

  end(lease: TaskLease, end: AttemptEnd): Promise<boolean> {
    return this.#write(now => endAttempt(lease, end, now), {is: 'ready'});
  }

  async cancel(id: TaskId): Promise<Task> {
    const isRunning = await this.#write(now => cancelTask(id, now));
    if (isRunning) this.#desk.tell({is: 'cancelling', task: id});
    const task = await this.task(id);
    if (task === undefined) throw nodeNotFound('ServiceTask', id);
    return task;
  }

  task(id: TaskId): Promise<Task | undefined> {
    return this.#carrier.read(now => taskById(id, now, this.#carrier.dialect));
  }

  tasks(query: TaskQuery): Promise<TaskPage> {
    return this.#carrier.read(now => findTasks(query, now, this.#carrier.dialect));
  }

  logs(
    tasks: readonly TaskId[],
    page: {readonly limit: number; readonly offset: number},
  ): Promise<readonly TaskLogPage[]> {
    return this.#carrier.read(() => logsOf(tasks, page));
  }

  forget(endedBefore: Instant, limit: number): Promise<number> {
    return this.#write(() => forgetTasks(endedBefore, limit));
  }

  watch(listener: (news: TaskNews) => void): () => void {
    return this.#desk.watch(listener);
  }

  #write<T>(workAt: (now: Instant) => Work<T>, news?: TaskNews): Promise<T> {
    return this.#carrier.write(workAt, () => {
      if (news !== undefined) this.#desk.tell(news);
    });
  }
}
