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
  endAllLeases,
  endAttempt,
  nextDue,
  renewLeases,
  reportOn,
} from '../sql/task-leases.ts';
import {findTasks, forgetTasks, logsOf, taskById} from '../sql/task-reader.ts';
import {enqueueTask} from '../sql/task-writer.ts';
import type {Connection} from './connection.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import type {WriteQueue} from './write-queue.ts';

/** The tasks in the file of the graph: each step takes its turn among the writes and shares their commits. */
export class SqliteTaskQueue implements TaskQueue {
  readonly #writer: Connection;
  readonly #queue: WriteQueue;
  readonly #desk: TaskDesk;
  readonly #read: <T>(work: Work<T>) => T;

  constructor(writer: Connection, queue: WriteQueue, desk: TaskDesk, reading: <T>(work: Work<T>) => T) {
    this.#writer = writer;
    this.#queue = queue;
    this.#desk = desk;
    this.#read = reading;
    // One process at a time has the file, so whoever held a lease before is gone.
    writer.drive(endAllLeases());
  }

  now(): Instant {
    return this.#desk.now();
  }

  enqueue(task: NewTask): Promise<TaskId> {
    return this.#write(now => enqueueTask(task, this.#desk.newId(), now), {is: 'ready'});
  }

  claim(request: ClaimRequest): Promise<readonly ClaimedTask[]> {
    return this.#write(now => claimTasks(request, now, sqliteDialect));
  }

  async nextDue(workflows: readonly string[]): Promise<Instant | undefined> {
    return this.#read(nextDue(workflows, sqliteDialect));
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

  async task(id: TaskId): Promise<Task | undefined> {
    return this.#read(taskById(id, this.#desk.now(), sqliteDialect));
  }

  async tasks(query: TaskQuery): Promise<TaskPage> {
    return this.#read(findTasks(query, this.#desk.now(), sqliteDialect));
  }

  async logs(
    tasks: readonly TaskId[],
    page: {readonly limit: number; readonly offset: number},
  ): Promise<readonly TaskLogPage[]> {
    return this.#read(logsOf(tasks, page));
  }

  forget(endedBefore: Instant, limit: number): Promise<number> {
    return this.#write(() => forgetTasks(endedBefore, limit));
  }

  watch(listener: (news: TaskNews) => void): () => void {
    return this.#desk.watch(listener);
  }

  #write<T>(workAt: (now: Instant) => Work<T>, news?: TaskNews): Promise<T> {
    return this.#queue.add({
      run: async () => ({
        value: this.#writer.drive(workAt(this.#desk.now())),
        publish: () => {
          if (news !== undefined) this.#desk.tell(news);
        },
      }),
      undo: () => undefined,
    });
  }
}
