import type {Json} from '../base/json.ts';
import type {BranchName} from '../domain/branch/branch.ts';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {
  NewTask,
  Task,
  TaskId,
  TaskLogLine,
  TaskPriority,
  TaskSeverity,
  TaskState,
} from '../domain/task/task.ts';
import type {Instant} from '../domain/time/instant.ts';

/** The right to do a task, for one attempt at it. Whoever holds an older one can no longer say anything about it. */
export interface TaskLease {
  readonly task: TaskId;
  readonly attempt: number;
}

/** What a commit of the graph does to tasks: with it, or not at all. */
export interface TaskEffects {
  readonly enqueue?: readonly NewTask[];
  /** Completes the task whose work the commit is. A lease that was lost gives up the commit. */
  readonly finish?: TaskFinish;
}

export interface TaskFinish {
  readonly lease: TaskLease;
  readonly result: Json;
}

export interface ClaimRequest {
  /** Who takes them, for people who look. */
  readonly worker: string;
  readonly workflows: readonly string[];
  readonly limit: number;
  /** Only tasks that are at least this urgent; absent: all. */
  readonly least?: TaskPriority;
  /** Of these workflows at most so many. */
  readonly limits?: Readonly<Record<string, number>>;
  /** For how long nobody else gets them, unless renewed. */
  readonly leaseMicros: number;
}

export interface ClaimedTask {
  readonly task: Task;
  readonly lease: TaskLease;
}

/** `cancelling`: somebody wants it to end. `lost`: it is over, or another has it. */
export type LeaseState = 'held' | 'cancelling' | 'lost';

export interface NewLogLine {
  readonly at: Instant;
  readonly severity: TaskSeverity;
  readonly message: string;
}

export interface TaskReport {
  /** From 0 to 1. */
  readonly progress?: number;
  readonly logs?: readonly NewLogLine[];
}

/** How an attempt ended, other than with a result that is kept. */
export type AttemptEnd =
  /** Tried again at the instant, unless it may fail no more; absent: failed for good. */
  | {readonly is: 'failed'; readonly problem: string; readonly retryAt?: Instant}
  | {readonly is: 'cancelled'}
  /** Done, and of interest to nobody: nothing of the task is kept. */
  | {readonly is: 'forgotten'}
  /** Given back undone, for another to begin again; it does not count. */
  | {readonly is: 'released'};

export interface TaskQuery {
  readonly ids?: readonly TaskId[];
  readonly branch?: BranchName;
  readonly states?: readonly TaskState[];
  readonly workflows?: readonly string[];
  /** Tasks that concern any of these objects. */
  readonly relatedNodes?: readonly NodeId[];
  /** Found in the title, whatever the case. */
  readonly text?: string;
  readonly limit: number;
  readonly offset: number;
  readonly isCounted: boolean;
}

export interface TaskPage {
  /** Newest first. */
  readonly tasks: readonly Task[];
  readonly count: number | undefined;
}

export interface TaskLogPage {
  /** Oldest first. */
  readonly lines: readonly TaskLogLine[];
  readonly count: number;
}

/** `ready`: a task may have become due. `cancelling`: a task that runs is to end. */
export type TaskNews = {readonly is: 'ready'} | {readonly is: 'cancelling'; readonly task: TaskId};

/**
 * Work to be done in the background, durable like the graph itself.
 *
 * A task is done at least once: it stays until a worker that holds its lease says how it ended. A lease that is not
 * renewed in time passes the task on, and from then on the old holder is refused. What a task has to do is part of
 * the commit that causes it when it is enqueued by a draft.
 */
export interface TaskQueue {
  /** The time by which tasks are due and leases end. It never goes back. */
  now(): Instant;
  enqueue(task: NewTask): Promise<TaskId>;
  /** Tasks that are due, by priority and then by due time, each leased to the worker. */
  claim(request: ClaimRequest): Promise<readonly ClaimedTask[]>;
  /** When the next task of these workflows is due or its lease ends; undefined when nothing waits. */
  nextDue(workflows: readonly string[]): Promise<Instant | undefined>;
  /** Answers in the order of the leases. */
  renew(leases: readonly TaskLease[], leaseMicros: number): Promise<readonly LeaseState[]>;
  /** The log of an attempt may still grow after it has completed its task; nothing else is taken then. */
  report(lease: TaskLease, report: TaskReport): Promise<LeaseState>;
  /** False when the lease was lost: then nothing changes. */
  complete(lease: TaskLease, result: Json): Promise<boolean>;
  end(lease: TaskLease, end: AttemptEnd): Promise<boolean>;
  /** Ends a task that waits, tells one that runs; one that is over stays as it is. */
  cancel(task: TaskId): Promise<Task>;
  task(id: TaskId): Promise<Task | undefined>;
  tasks(query: TaskQuery): Promise<TaskPage>;
  /** One page of log lines for each task, in the order of the ids. */
  logs(
    tasks: readonly TaskId[],
    page: {readonly limit: number; readonly offset: number},
  ): Promise<readonly TaskLogPage[]>;
  /** Removes tasks that ended before the instant, at most `limit` of them; answers how many. */
  forget(endedBefore: Instant, limit: number): Promise<number>;
  /** The listener is called after the commit that made the news, never inside it. The answer ends that. */
  watch(listener: (news: TaskNews) => void): () => void;
}
