import type {Task, TaskId, TaskLogLine, TaskSeverity} from '../../domain/task/task.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {TaskLogPage, TaskPage, TaskQuery} from '../../ports/task-queue.ts';
import type {Dialect} from './dialect.ts';
import type {Work} from './statement.ts';
import {change, Parameters, read} from './statement.ts';
import {stateCondition, TASK_COLUMNS, tasksOf} from './task-rows.ts';

export function* taskById(id: TaskId, now: Instant, dialect: Dialect): Work<Task | undefined> {
  const rows = yield read(`SELECT ${TASK_COLUMNS} FROM task WHERE id = ?1`, [id]);
  return (yield* tasksOf(rows, now, dialect))[0];
}

export function* findTasks(query: TaskQuery, now: Instant, dialect: Dialect): Work<TaskPage> {
  const parameters = new Parameters();
  const where = conditionOf(query, now, dialect, parameters);
  const counted = query.isCounted
    ? ((yield read(`SELECT count(*) FROM task WHERE ${where}`, [...parameters.values]))[0]![0] as number)
    : undefined;
  const limit = parameters.bind(query.limit);
  const offset = parameters.bind(query.offset);
  const rows = yield read(
    `SELECT ${TASK_COLUMNS} FROM task WHERE ${where} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
    parameters.values,
  );
  return {tasks: yield* tasksOf(rows, now, dialect), count: counted};
}

function conditionOf(query: TaskQuery, now: Instant, dialect: Dialect, parameters: Parameters): string {
  const conditions = ['1 = 1'];
  const among = (texts: readonly string[]) =>
    `(SELECT value FROM ${dialect.texts(parameters.bind(JSON.stringify(texts)))} p)`;
  if (query.ids !== undefined) conditions.push(`id IN ${among(query.ids)}`);
  if (query.branch !== undefined) conditions.push(`branch = ${parameters.bind(query.branch)}`);
  if (query.workflows !== undefined) conditions.push(`workflow IN ${among(query.workflows)}`);
  if (query.relatedNodes !== undefined) {
    conditions.push(`id IN (SELECT task FROM task_node WHERE node IN ${among(query.relatedNodes)})`);
  }
  if (query.text !== undefined) {
    const pattern = `%${query.text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(`${dialect.fold('title')} LIKE ${parameters.bind(pattern)} ESCAPE '\\'`);
  }
  if (query.states !== undefined) {
    const states = query.states.map(state => stateCondition(state, () => parameters.bind(now)));
    conditions.push(`(${['1 = 0', ...states].join(' OR ')})`);
  }
  return conditions.join(' AND ');
}

export function* logsOf(
  tasks: readonly TaskId[],
  page: {readonly limit: number; readonly offset: number},
): Work<readonly TaskLogPage[]> {
  const pages: TaskLogPage[] = [];
  for (const task of tasks) {
    const count = (yield read('SELECT logs FROM task WHERE id = ?1', [task]))[0]?.[0] ?? 0;
    const rows = yield read(
      `SELECT serial, at, severity, message FROM task_log WHERE task = ?1 ORDER BY serial LIMIT ?2 OFFSET ?3`,
      [task, page.limit, page.offset],
    );
    const lines = rows.map(
      ([serial, at, severity, message]): TaskLogLine => ({
        task,
        serial: serial as number,
        at: at as Instant,
        severity: severity as TaskSeverity,
        message: message as string,
      }),
    );
    pages.push({lines, count: count as number});
  }
  return pages;
}

export function* forgetTasks(endedBefore: Instant, limit: number): Work<number> {
  const rows = yield read(
    'SELECT id FROM task WHERE ended IS NOT NULL AND ended < ?1 ORDER BY ended, id LIMIT ?2',
    [endedBefore, limit],
  );
  for (const [id] of rows) {
    yield change('DELETE FROM task_log WHERE task = ?1', [id!]);
    yield change('DELETE FROM task_node WHERE task = ?1', [id!]);
    yield change('DELETE FROM task WHERE id = ?1', [id!]);
  }
  return rows.length;
}
