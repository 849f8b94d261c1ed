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
import type {Work} from '../sql/statement.ts';
import type {TaskDesk} from '../sql/task-desk.ts';
import {
  cancelTask,
  claimTasks,
  completeTask,
  endAttempt,
  nextDue,
  renewLeases,
  reportOn,
} from '../sql/task-leases.ts';
import {findTasks, forgetTasks, logsOf, taskById} from '../sql/task-reader.ts';
import {enqueueTask} from '../sql/task-writer.ts';
import {postgresDialect} from './postgres-dialect.ts';
import type {Reading} from './reading.ts';

/** The tasks of all servers and workers. Each step is a transaction of its own; rows decide who gets a task. */
export class PostgresTaskQueue implements TaskQueue {
  readonly #reading: Reading;
  readonly #desk: TaskDesk;

  constructor(reading: Reading, desk: TaskDesk) {
    this.#reading = reading;
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
    return this.#write(now => claimTasks(request, now, postgresDialect));
  }

  nextDue(workflows: readonly string[]): Promise<Instant | undefined> {
    return this.#reading.transaction(() => nextDue(workflows, postgresDialect));
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
    return this.#reading.transaction(() => taskById(id, this.#desk.now(), postgresDialect));
  }

  tasks(query: TaskQuery): Promise<TaskPage> {
    return this.#reading.transaction(() => findTasks(query, this.#desk.now(), postgresDialect));
  }

  logs(
    tasks: readonly TaskId[],
    page: {readonly limit: number; readonly offset: number},
  ): Promise<readonly TaskLogPage[]> {
    return this.#reading.transaction(() => logsOf(tasks, page));
  }

  forget(endedBefore: Instant, limit: number): Promise<number> {
    return this.#write(() => forgetTasks(endedBefore, limit));
  }

  watch(listener: (news: TaskNews) => void): () => void {
    return this.#desk.watch(listener);
  }

  async #write<T>(workAt: (now: Instant) => Work<T>, news?: TaskNews): Promise<T> {
    const value = await this.#reading.transaction(() => workAt(this.#desk.now()));
    if (news !== undefined) this.#desk.tell(news);
    return value;
  }
}
