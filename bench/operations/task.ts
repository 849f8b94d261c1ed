import {TaskWorker} from '../../src/app/task/task-worker.ts';
import {handlerOf, taskOf, type Workflow} from '../../src/app/task/workflow.ts';
import {MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';
import type {StoreFamily} from '../bench.ts';
import {syncOnePage} from '../limits/disk.ts';
import {limit, time, timed} from '../measure.ts';
import {SILENT} from './silent-log.ts';

const SYNC = 'fdatasync of one 4 KiB page';
const TASKS_AT_ONCE = 1000;

const NOTHING: Workflow<number> = {name: 'nothing', read: Number, secondsMax: 60};

/** From the commit that queues a task to its handler, which is two commits further on: one queues it, one takes it. */
export const task: StoreFamily = {
  name: 'task',
  on: 'data set',
  async run(bench) {
    const store = await bench.open();
    const begun = new Map<number, () => void>();
    const handler = handlerOf(NOTHING, async input => {
      begun.get(input)?.();
      return null;
    });
    const worker = new TaskWorker({
      queue: store.tasks,
      handlers: [handler],
      log: SILENT,
      metrics: NO_METRICS,
      parallelMax: 4,
      leaseMillis: 30_000,
      keepMillis: 1e12,
      name: 'bench',
    });
    worker.start();
    const starts = (input: number) => {
      const {promise, resolve} = Promise.withResolvers<void>();
      begun.set(input, resolve);
      return promise;
    };
    const samples = await timed(
      async round => {
        const started = starts(round);
        await store.write(MAIN, SERVICE, draft => draft.enqueue(taskOf(NOTHING, round, {title: 'Nothing'})));
        await started;
      },
      {roundsMax: 300},
    );
    const many = Array.from({length: TASKS_AT_ONCE}, (_, place) => -1 - place);
    const before = performance.now();
    const all = Promise.all(many.map(starts));
    await store.write(MAIN, SERVICE, async draft => {
      for (const input of many) await draft.enqueue(taskOf(NOTHING, input, {title: 'Nothing'}));
    });
    await all;
    const seconds = (performance.now() - before) / 1000;
    await worker.stop(10_000);
    await store.close();
    return [
      limit(SYNC, syncOnePage(bench.folder)),
      time('task, commit to start', samples, [SYNC, SYNC]),
      {name: 'tasks done, 1,000 queued at once', unit: 'perSecond', value: TASKS_AT_ONCE / seconds},
    ];
  },
};
