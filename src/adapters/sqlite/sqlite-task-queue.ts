import type {TaskQueue} from '../../ports/task-queue.ts';
import {SqlTaskQueue} from '../sql/sql-task-queue.ts';
import type {Work} from '../sql/statement.ts';
import type {TaskDesk} from '../sql/task-desk.ts';
import {endAllLeases} from '../sql/task-leases.ts';
import type {Connection} from './connection.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import type {WriteQueue} from './write-queue.ts';

/** The tasks in the file of the graph: each step takes its turn among the writes and shares their commits. */
export function sqliteTaskQueue(
  writer: Connection,
  queue: WriteQueue,
  desk: TaskDesk,
  reading: <T>(work: Work<T>) => T,
): TaskQueue {
  // One process at a time has the file, so whoever held a lease before is gone.
  writer.drive(endAllLeases());
  return new SqlTaskQueue(
    {
      dialect: sqliteDialect,
      read: async workAt => reading(workAt(desk.now())),
      write: (workAt, told) =>
        queue.add({
          run: async () => ({value: writer.drive(workAt(desk.now())), publish: told}),
          undo: () => undefined,
        }),
    },
    desk,
  );
}
