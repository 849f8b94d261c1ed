import {assert} from '../../base/assert.ts';
import {canonicalJson} from '../../base/json.ts';
import type {NewTask, TaskId} from '../../domain/task/task.ts';
import {TASK_PRIORITIES} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {NewLogLine} from '../../ports/task-queue.ts';
import type {Work} from './statement.ts';
import {change, isChanged, read} from './statement.ts';

const ATTEMPTS_MAX = 5;
const RELATED_NODES_MAX = 1000;
const TITLE_LENGTH_MAX = 500;
const LOG_LINES_MAX = 10_000;
const LOG_LINE_LENGTH_MAX = 16_384;
/** The holder of a key may let it go between two looks at it, but not every time. */
const KEY_LOOKS_MAX = 100;

const NEW_TASK = `INSERT INTO task (id, workflow, title, input, branch, account, tags, priority, state, due, created,
    updated, attempt, failures, crashes, attempts_max, lease, cancel, logs, hold, holds)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting', ?9, ?10, ?10, 0, 0, 0, ?11, 0, 0, 0, ?12, ?13)
  ON CONFLICT (hold) DO NOTHING`;

/** Queues a task under the id, or answers the id of the one that holds its key. */
export function* enqueueTask(task: NewTask, id: TaskId, now: Instant): Work<TaskId> {
  const {key} = task;
  for (let look = 0; look < KEY_LOOKS_MAX; look += 1) {
    const made = yield change(NEW_TASK, [
      id,
      task.workflow,
      task.title.slice(0, TITLE_LENGTH_MAX),
      canonicalJson(task.input),
      task.branch ?? null,
      task.account ?? null,
      JSON.stringify(task.tags ?? []),
      TASK_PRIORITIES.indexOf(task.priority ?? 'normal'),
      task.dueAt ?? now,
      now,
      task.attemptsMax ?? ATTEMPTS_MAX,
      key?.text ?? null,
      key?.held ?? null,
    ]);
    if (isChanged(made)) {
      yield* relate(task, id);
      return id;
    }
    const holder = (yield read('SELECT id FROM task WHERE hold = ?1', [key?.text ?? null]))[0]?.[0];
    if (holder !== undefined) return holder as TaskId;
  }
  throw new Error(`The task ${task.workflow} could not be queued: its key changes hands all the time`);
}

function* relate({relatedNodes = []}: NewTask, id: TaskId): Work<void> {
  const distinct = new Map(relatedNodes.slice(0, RELATED_NODES_MAX).map(node => [node.id, node.kind]));
  for (const [node, kind] of distinct) {
    yield change('INSERT INTO task_node (node, task, kind) VALUES (?1, ?2, ?3)', [node, id, kind]);
  }
}

/** Appends to the log of a task, whose row this transaction has written to before. */
export function* appendLogs(task: TaskId, lines: readonly NewLogLine[]): Work<void> {
  if (lines.length === 0) return;
  const found = (yield read('SELECT logs FROM task WHERE id = ?1', [task]))[0];
  assert(found !== undefined, 'a task that has a lease is there');
  const before = found[0] as number;
  const kept = lines.slice(0, Math.max(0, LOG_LINES_MAX - before));
  for (const [place, line] of kept.entries()) {
    const serial = before + place + 1;
    const message =
      serial === LOG_LINES_MAX ? 'Further lines are left out.' : line.message.slice(0, LOG_LINE_LENGTH_MAX);
    yield change('INSERT INTO task_log (task, serial, at, severity, message) VALUES (?1, ?2, ?3, ?4, ?5)', [
      task,
      serial,
      line.at,
      line.severity,
      message,
    ]);
  }
  yield change('UPDATE task SET logs = logs + ?2 WHERE id = ?1', [task, kept.length]);
}
