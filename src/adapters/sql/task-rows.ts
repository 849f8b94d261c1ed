import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Task, TaskId, TaskNode, TaskState} from '../../domain/task/task.ts';
import {TASK_PRIORITIES} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Dialect} from './dialect.ts';
import type {Row, Work} from './statement.ts';
import {read} from './statement.ts';

/** The columns that make a task, in the order that `taskOf` reads them. */
export const TASK_COLUMNS =
  'id, workflow, title, input, branch, account, tags, priority, state, due, created, started, updated, ended, attempt, cancel, progress, result, problem';

/** Tasks from rows of their columns, with the objects that they concern. */
export function* tasksOf(rows: readonly Row[], now: Instant, dialect: Dialect): Work<readonly Task[]> {
  if (rows.length === 0) return [];
  const nodes = yield read(
    `SELECT n.task, n.node, n.kind FROM ${dialect.texts('?1')} p CROSS JOIN task_node n WHERE n.task = p.value
     ORDER BY n.task, n.kind, n.node`,
    [JSON.stringify(rows.map(row => row[0]))],
  );
  const related = new Map<TaskId, TaskNode[]>();
  for (const [task, id, kind] of nodes) {
    const known = related.get(task as TaskId);
    const node = {id: id as NodeId, kind: kind as string};
    if (known === undefined) related.set(task as TaskId, [node]);
    else known.push(node);
  }
  return rows.map(row => taskOf(row, related.get(row[0] as TaskId) ?? [], now));
}

function taskOf(row: Row, relatedNodes: readonly TaskNode[], now: Instant): Task {
  const [id, workflow, title, input, branch, account, tags, priority, state, due] = row;
  const [created, started, updated, ended, attempt, cancel, progress, result, problem] = row.slice(10);
  return {
    id: id as TaskId,
    workflow: workflow as string,
    title: title as string,
    input: JSON.parse(input as string) as Json,
    branch: (branch ?? undefined) as BranchName | undefined,
    account: account as NodeId | null,
    relatedNodes,
    tags: JSON.parse(tags as string) as string[],
    priority: TASK_PRIORITIES[priority as number]!,
    state: shownState(state as string, due as Instant, cancel === 1, now),
    progress: (progress ?? undefined) as number | undefined,
    attempt: attempt as number,
    createdAt: created as Instant,
    dueAt: due as Instant,
    startedAt: (started ?? undefined) as Instant | undefined,
    updatedAt: updated as Instant,
    endedAt: (ended ?? undefined) as Instant | undefined,
    result: result === null ? null : (JSON.parse(result as string) as Json),
    problem: (problem ?? undefined) as string | undefined,
  };
}

function shownState(stored: string, due: Instant, isCancelled: boolean, now: Instant): TaskState {
  if (stored === 'waiting') return due > now ? 'scheduled' : 'pending';
  if (stored === 'running') return isCancelled ? 'cancelling' : 'running';
  return stored as TaskState;
}

/** The condition on the stored columns that a shown state stands for. */
export function stateCondition(state: TaskState, now: () => string): string {
  switch (state) {
    case 'scheduled':
      return `(state = 'waiting' AND due > ${now()})`;
    case 'pending':
      return `(state = 'waiting' AND due <= ${now()})`;
    case 'running':
      return `(state = 'running' AND cancel = 0)`;
    case 'cancelling':
      return `(state = 'running' AND cancel = 1)`;
    case 'completed':
    case 'failed':
    case 'crashed':
    case 'cancelled':
      return `state = '${state}'`;
  }
}
