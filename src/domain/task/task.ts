import type {Brand} from '../../base/brand.ts';
import type {Json} from '../../base/json.ts';
import type {BranchName} from '../branch/branch.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {Instant} from '../time/instant.ts';

export type TaskId = Brand<string, 'TaskId'>;

/** Of tasks that are due, all high ones start before any normal one, and those before any low one. */
export const TASK_PRIORITIES = ['high', 'normal', 'low'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** `scheduled` is not due yet, `pending` waits for a worker; `cancelling` still runs and has been told to end. */
export const TASK_STATES = [
  'scheduled',
  'pending',
  'running',
  'cancelling',
  'completed',
  'failed',
  'crashed',
  'cancelled',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_SEVERITIES = ['debug', 'info', 'warning', 'error', 'critical'] as const;
export type TaskSeverity = (typeof TASK_SEVERITIES)[number];

export interface TaskNode {
  readonly id: NodeId;
  readonly kind: string;
}

/**
 * Keeps work from being queued twice: while the key is held, another task of the same key is not made, and who wants
 * it is given the one that is there. `until-start` suits work that looks at the state of things when it starts,
 * `until-end` work that must not run beside itself, `for-ever` work that is done once for its cause.
 */
export interface TaskKey {
  readonly text: string;
  readonly held: 'until-start' | 'until-end' | 'for-ever';
}

/** Work to be done in the background. */
export interface NewTask {
  /** Names what does it, and how its input reads. */
  readonly workflow: string;
  /** A few words for people. */
  readonly title: string;
  readonly input: Json;
  readonly branch?: BranchName;
  /** On whose behalf; absent: the service itself. */
  readonly account?: NodeId | null;
  readonly relatedNodes?: readonly TaskNode[];
  readonly tags?: readonly string[];
  /** Absent: normal. */
  readonly priority?: TaskPriority;
  /** Absent: at once. */
  readonly dueAt?: Instant;
  readonly key?: TaskKey;
  /** How often it may fail before it has failed for good. */
  readonly attemptsMax?: number;
}

export interface Task {
  readonly id: TaskId;
  readonly workflow: string;
  readonly title: string;
  readonly input: Json;
  readonly branch: BranchName | undefined;
  readonly account: NodeId | null;
  readonly relatedNodes: readonly TaskNode[];
  readonly tags: readonly string[];
  readonly priority: TaskPriority;
  readonly state: TaskState;
  /** From 0 to 1; undefined while it has not said. */
  readonly progress: number | undefined;
  /** How often it was given to a worker. */
  readonly attempt: number;
  readonly createdAt: Instant;
  readonly dueAt: Instant;
  /** When it was last given to a worker. */
  readonly startedAt: Instant | undefined;
  readonly updatedAt: Instant;
  readonly endedAt: Instant | undefined;
  /** What it came to; null until it is completed. */
  readonly result: Json;
  /** Why it failed, this time or for good. */
  readonly problem: string | undefined;
}

export interface TaskLogLine {
  readonly task: TaskId;
  /** Counts from 1 within the task. */
  readonly serial: number;
  readonly at: Instant;
  readonly severity: TaskSeverity;
  readonly message: string;
}

export const isOver = (state: TaskState): boolean =>
  state === 'completed' || state === 'failed' || state === 'crashed' || state === 'cancelled';
