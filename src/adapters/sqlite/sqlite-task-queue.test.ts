import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TickingClock} from '../../ports/graph-store-fixtures.ts';
import {taskQueueContract} from '../../ports/task-queue-contract.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'trellis-tasks-'));

taskQueueContract('SQLite', async ({clock}) => {
  const folder = newFolder();
  const store = await openSqliteGraphStore({folder, clock, readWorkers: 0});
  return {
    store,
    tasks: store.tasks,
    async close() {
      await store.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
});

test('a task whose process ended is given out again by the next one, without waiting for its lease', async () => {
  const folder = newFolder();
  const clock = new TickingClock();
  const claim = {worker: 'w', workflows: ['count'], limit: 5, leaseMicros: 3_600_000_000};
  const before = await openSqliteGraphStore({folder, clock, readWorkers: 0});
  const id = await before.tasks.enqueue({workflow: 'count', title: 'a', input: 1});
  expect(await before.tasks.claim(claim)).toHaveLength(1);
  await before.close();
  const after = await openSqliteGraphStore({folder, clock, readWorkers: 0});
  const [claimed] = await after.tasks.claim(claim);
  expect(claimed?.lease).toEqual({task: id, attempt: 2});
  await after.close();
  rmSync(folder, {recursive: true, force: true});
});
