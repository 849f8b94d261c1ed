import {canonicalJson} from '../../base/json.ts';
import {constraintViolation} from '../../domain/errors.ts';
import type {TaskId} from '../../domain/task/task.ts';
import {TASK_PRIORITIES} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {
  AttemptEnd,
  ClaimedTask,
  ClaimRequest,
  LeaseState,
  TaskFinish,
  TaskLease,
  TaskReport,
} from '../../ports/task-queue.ts';
import type {Dialect} from './dialect.ts';
import type {Row, Work} from './statement.ts';
import {change, isChanged, read} from './statement.ts';
import {TASK_COLUMNS, tasksOf} from './task-rows.ts';
import {appendLogs} from './task-writer.ts';

/** A task whose workers died this often is taken for what kills them. */
const CRASHES_MAX = 10;
const LEASES_PASSED_ON_MAX = 100;

const RELEASED_HOLD = `hold = CASE WHEN holds = 'for-ever' THEN hold ELSE NULL END`;

const CLAIM = `UPDATE task SET state = 'running', attempt = attempt + 1, started = ?3, updated = ?3, lease = ?4,
    worker = ?5, progress = NULL, hold = CASE WHEN holds = 'until-start' THEN NULL ELSE hold END
  WHERE id = ?1 AND attempt = ?2 AND state = 'waiting'`;

/** Every row is taken by comparing it with what was seen, so that of two who want it one gets it, on any engine. */
export function* claimTasks(
  request: ClaimRequest,
  now: Instant,
  dialect: Dialect,
): Work<readonly ClaimedTask[]> {
  yield* passOn(now);
  const taken: Row[] = [];
  const room = new Map(
    request.workflows.map(name => [name, request.limits?.[name] ?? Number.POSITIVE_INFINITY]),
  );
  const least = TASK_PRIORITIES.indexOf(request.least ?? 'low');
  for (let priority = 0; priority <= least; priority += 1) {
    let before: number;
    do {
      before = taken.length;
      const left = request.limit - before;
      const rows = left === 0 ? [] : yield* dueTasks(priority, room, left, now, dialect);
      for (const row of rows) if (yield* takeTask(row, room, request, now)) taken.push(running(row, now));
    } while (taken.length > before);
  }
  const tasks = yield* tasksOf(taken, now, dialect);
  return tasks.map(task => ({task, lease: {task: task.id, attempt: task.attempt}}));
}

/** How many more of each workflow may be taken. */
type Room = Map<string, number>;

function* dueTasks(
  priority: number,
  room: Room,
  limit: number,
  now: Instant,
  dialect: Dialect,
): Work<readonly Row[]> {
  const open = [...room].filter(([, left]) => left > 0).map(([name]) => name);
  return yield read(
    `SELECT ${TASK_COLUMNS} FROM task WHERE state = 'waiting' AND priority = ?1 AND due <= ?2
     AND workflow IN (SELECT value FROM ${dialect.texts('?3')} p) ORDER BY due, id LIMIT ?4`,
    [priority, now, JSON.stringify(open), limit],
  );
}

function* takeTask(row: Row, room: Room, request: ClaimRequest, now: Instant): Work<boolean> {
  const workflow = row[WORKFLOW] as string;
  const left = room.get(workflow)!;
  if (left === 0) return false;
  const until = now + request.leaseMicros;
  const claimed = yield change(CLAIM, [row[0]!, row[ATTEMPT]!, now, until, request.worker]);
  if (!isChanged(claimed)) return false;
  room.set(workflow, left - 1);
  return true;
}

const COLUMNS = TASK_COLUMNS.split(', ');
const ATTEMPT = COLUMNS.indexOf('attempt');
const WORKFLOW = COLUMNS.indexOf('workflow');
const CLAIMED = ['state', 'attempt', 'started', 'updated', 'progress'].map(name => COLUMNS.indexOf(name));

function running(row: Row, now: Instant): Row {
  const after = [...row];
  const attempt = (row[ATTEMPT] as number) + 1;
  for (const [place, value] of (['running', attempt, now, now, null] as const).entries()) {
    after[CLAIMED[place]!] = value;
  }
  return after;
}

/** Tasks whose worker has not been heard of in time wait again, unless they were to end or have taken too many along. */
function* passOn(now: Instant): Work<void> {
  const lost = yield read(
    `SELECT id, attempt, crashes, cancel FROM task WHERE state = 'running' AND lease <= ?1 ORDER BY lease LIMIT ?2`,
    [now, LEASES_PASSED_ON_MAX],
  );
  for (const [id, attempt, crashes, cancel] of lost) {
    const isTooMany = (crashes as number) + 1 >= CRASHES_MAX;
    const state = cancel === 1 ? 'cancelled' : isTooMany ? 'crashed' : 'waiting';
    const problem = 'The worker that had it went away.';
    const passed = yield change(
      state === 'waiting'
        ? `UPDATE task SET state = ?4, crashes = crashes + 1, due = ?3, updated = ?3, problem = ?5
           WHERE id = ?1 AND attempt = ?2 AND state = 'running' AND lease <= ?3`
        : `UPDATE task SET state = ?4, crashes = crashes + 1, ended = ?3, updated = ?3, problem = ?5, ${RELEASED_HOLD}
           WHERE id = ?1 AND attempt = ?2 AND state = 'running' AND lease <= ?3`,
      [id!, attempt!, now, state, problem],
    );
    if (isChanged(passed)) {
      yield* appendLogs(id as TaskId, [{at: now, severity: 'warning', message: problem}]);
    }
  }
}

/** The leases of a process that is known to be gone end at once. */
export function* endAllLeases(): Work<void> {
  yield change(`UPDATE task SET lease = 0 WHERE state = 'running'`, []);
}

export function* nextDue(workflows: readonly string[], dialect: Dialect): Work<Instant | undefined> {
  const known = JSON.stringify(workflows);
  const found: number[] = [];
  for (const priority of TASK_PRIORITIES.keys()) {
    const [first] = yield read(
      `SELECT due FROM task WHERE state = 'waiting' AND priority = ?1
       AND workflow IN (SELECT value FROM ${dialect.texts('?2')} p) ORDER BY due LIMIT 1`,
      [priority, known],
    );
    if (first !== undefined) found.push(first[0] as number);
  }
  const [lease] = yield read(`SELECT lease FROM task WHERE state = 'running' ORDER BY lease LIMIT 1`, []);
  if (lease !== undefined) found.push(lease[0] as number);
  return found.length === 0 ? undefined : (Math.min(...found) as Instant);
}

export function* renewLeases(leases: readonly TaskLease[], until: number): Work<readonly LeaseState[]> {
  const states: LeaseState[] = [];
  for (const {task, attempt} of leases) {
    const renewed = yield change(
      `UPDATE task SET lease = ?3 WHERE id = ?1 AND attempt = ?2 AND state = 'running'`,
      [task, attempt, until],
    );
    states.push(isChanged(renewed) ? yield* heldState(task) : 'lost');
  }
  return states;
}

export function* reportOn(lease: TaskLease, report: TaskReport, now: Instant): Work<LeaseState> {
  const reported = yield change(
    `UPDATE task SET progress = COALESCE(?3, progress), updated = ?4
     WHERE id = ?1 AND attempt = ?2 AND state = 'running'`,
    [lease.task, lease.attempt, report.progress ?? null, now],
  );
  if (isChanged(reported)) {
    yield* appendLogs(lease.task, report.logs ?? []);
    return yield* heldState(lease.task);
  }
  // Its last words, when its work has completed it before they were told.
  const last = yield change(
    `UPDATE task SET updated = ?3 WHERE id = ?1 AND attempt = ?2 AND state = 'completed'`,
    [lease.task, lease.attempt, now],
  );
  if (isChanged(last)) yield* appendLogs(lease.task, report.logs ?? []);
  return 'lost';
}

function* heldState(task: TaskId): Work<LeaseState> {
  const [row] = yield read('SELECT cancel FROM task WHERE id = ?1', [task]);
  return row?.[0] === 1 ? 'cancelling' : 'held';
}

/** False when the lease was lost. */
export function* completeTask({lease, result}: TaskFinish, now: Instant): Work<boolean> {
  const completed = yield change(
    `UPDATE task SET state = 'completed', progress = 1, ended = ?3, updated = ?3, result = ?4, problem = NULL,
       ${RELEASED_HOLD} WHERE id = ?1 AND attempt = ?2 AND state = 'running'`,
    [lease.task, lease.attempt, now, canonicalJson(result)],
  );
  return isChanged(completed);
}

/** Completes a task as part of a commit, which is given up when another has the task by now. */
export function* finishWithCommit(finish: TaskFinish, now: Instant): Work<void> {
  if (yield* completeTask(finish, now)) return;
  throw constraintViolation(`The task ${finish.lease.task} is over or was given to another worker`, {
    task: finish.lease.task,
  });
}

export function* endAttempt(lease: TaskLease, end: AttemptEnd, now: Instant): Work<boolean> {
  const {task, attempt} = lease;
  switch (end.is) {
    case 'released':
      return isChanged(
        yield change(
          `UPDATE task SET state = 'waiting', due = ?3, updated = ?3
           WHERE id = ?1 AND attempt = ?2 AND state = 'running'`,
          [task, attempt, now],
        ),
      );
    case 'cancelled':
      return isChanged(
        yield change(
          `UPDATE task SET state = 'cancelled', ended = ?3, updated = ?3, ${RELEASED_HOLD}
           WHERE id = ?1 AND attempt = ?2 AND state = 'running'`,
          [task, attempt, now],
        ),
      );
    case 'forgotten': {
      const gone = yield change(`DELETE FROM task WHERE id = ?1 AND attempt = ?2 AND state = 'running'`, [
        task,
        attempt,
      ]);
      if (!isChanged(gone)) return false;
      yield change('DELETE FROM task_log WHERE task = ?1', [task]);
      yield change('DELETE FROM task_node WHERE task = ?1', [task]);
      return true;
    }
    case 'failed':
      return yield* failAttempt(lease, end.problem, end.retryAt, now);
  }
}

function* failAttempt(
  {task, attempt}: TaskLease,
  problem: string,
  retryAt: Instant | undefined,
  now: Instant,
): Work<boolean> {
  const fence = `id = ?1 AND attempt = ?2 AND state = 'running'`;
  if (retryAt !== undefined) {
    const retried = yield change(
      `UPDATE task SET state = 'waiting', failures = failures + 1, due = ?3, updated = ?4, problem = ?5
       WHERE ${fence} AND failures + 1 < attempts_max AND cancel = 0`,
      [task, attempt, retryAt, now, problem],
    );
    if (isChanged(retried)) {
      yield* appendLogs(task, [{at: now, severity: 'warning', message: `It is tried again: ${problem}`}]);
      return true;
    }
  }
  const failed = yield change(
    `UPDATE task SET state = 'failed', failures = failures + 1, ended = ?3, updated = ?3, problem = ?4,
       ${RELEASED_HOLD} WHERE ${fence}`,
    [task, attempt, now, problem],
  );
  if (!isChanged(failed)) return false;
  yield* appendLogs(task, [{at: now, severity: 'error', message: problem}]);
  return true;
}

/** Whether a task that runs has to be told. */
export function* cancelTask(task: TaskId, now: Instant): Work<boolean> {
  const waiting = yield change(
    `UPDATE task SET state = 'cancelled', cancel = 1, ended = ?2, updated = ?2, ${RELEASED_HOLD}
     WHERE id = ?1 AND state = 'waiting'`,
    [task, now],
  );
  if (isChanged(waiting)) return false;
  return isChanged(
    yield change(`UPDATE task SET cancel = 1, updated = ?2 WHERE id = ?1 AND state = 'running'`, [task, now]),
  );
}
