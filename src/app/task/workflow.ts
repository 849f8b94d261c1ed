import type {Json} from '../../base/json.ts';
import type {NewTask, Task, TaskSeverity} from '../../domain/task/task.ts';
import type {TaskLease} from '../../ports/task-queue.ts';

/** A kind of work in the background: its name, how its input reads, and its limits. */
export interface Workflow<Input> {
  readonly name: string;
  /** The input as it was stored, perhaps by an earlier version; throws when it cannot be understood. */
  readonly read: (input: Json) => Input;
  /** An attempt that takes longer is ended and has failed. */
  readonly secondsMax: number;
  /** How often it may fail; absent: as the queue has it. */
  readonly attemptsMax?: number;
  /** How many of its tasks one worker runs at a time; absent: as many as there is room for. */
  readonly parallelMax?: number;
  /** True when nobody asks afterwards how it went: a task that is done leaves nothing. */
  readonly isFleeting?: true;
  /** True when it changes data of its branch, which people want to know before they merge. */
  readonly changesData?: true;
}

export type About = Omit<NewTask, 'workflow' | 'input'>;

/** A task of a workflow, for a draft or the queue to take. Its input is plain data, without secrets. */
export function taskOf<Input>({name, attemptsMax}: Workflow<Input>, input: Input, about: About): NewTask {
  const bound = attemptsMax === undefined ? {} : {attemptsMax};
  return {...bound, ...about, workflow: name, input: input as Json};
}

/** What a handler has of the attempt it makes. */
export interface TaskRun {
  readonly task: Task;
  /** For `Draft.finishTask`: completes the task in the commit that is its work, so that it is done exactly once. */
  readonly lease: TaskLease;
  /** Aborted when the task is cancelled, takes too long, is another's by now, or the service stops. */
  readonly signal: AbortSignal;
  log(severity: TaskSeverity, message: string): void;
  /** From 0 to 1. */
  progress(fraction: number): void;
}

export interface TaskHandler {
  readonly workflow: Workflow<unknown>;
  /** Reads the input of the task and does it; answers its result. */
  run(run: TaskRun): Promise<Json>;
}

/**
 * What does the tasks of a workflow. It may be called again for a task that was done before, when nobody heard of it,
 * so doing it twice must come to the same. Heavy work belongs in a thread or a process of its own: handlers share the
 * thread that answers requests.
 */
export function handlerOf<Input>(
  workflow: Workflow<Input>,
  run: (input: Input, run: TaskRun) => Promise<Json>,
): TaskHandler {
  return {workflow, run: attempt => run(workflow.read(attempt.task.input), attempt)};
}
