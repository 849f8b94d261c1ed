import process from 'node:process';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {ALL_KINDS, MAIN, putKinds} from '../../src/ports/graph-store-fixtures.ts';
import {taskWorker, work} from './task-work.ts';

// Queues work and does it until it is killed. A dot on standard output is a task that was acknowledged.

const [folder = '', round = ''] = process.argv.slice(2);
const KINDS = ['tag', 'branch', 'talk', 'tag'] as const;

const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
if (store.isNew) await putKinds(store, MAIN, ...ALL_KINDS);
process.stdout.write('opened');
taskWorker(store).start();
for (let n = 0; ; n += 1) {
  await store.tasks.enqueue(work(KINDS[n % KINDS.length]!, `r${round}-${n}`));
  process.stdout.write('.');
}
