import type {TaskQueue} from '../../ports/task-queue.ts';
import {SqlTaskQueue} from '../sql/sql-task-queue.ts';
import type {TaskDesk} from '../sql/task-desk.ts';
import {postgresDialect} from './postgres-dialect.ts';
import type {Reading} from './reading.ts';

/** The tasks of all servers and workers. Each step is a transaction of its own. */
export const postgresTaskQueue = (reading: Reading, desk: TaskDesk): TaskQueue =>
  new SqlTaskQueue(
    {
      dialect: postgresDialect,
      read: workAt => reading.transaction(() => workAt(desk.now())),
      async write(workAt, told) {
        const value = await reading.transaction(() => workAt(desk.now()));
        told();
        return value;
      },
    },
    desk,
  );
