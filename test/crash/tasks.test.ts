import {join} from 'node:path';
import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {isOver} from '../../src/domain/task/task.ts';
import {MAIN} from '../../src/ports/graph-store-fixtures.ts';
import {StartedProcess, tempFolder} from '../process/start-process.ts';
import {randomFrom} from './random.ts';
import {taskWorker} from './task-work.ts';
import {told} from './told.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const TASKS_MAX = 60;

test(`tasks of killed processes end as if nothing had happened (CRASH_SEED=${SEED})`, {
  timeout: ROUNDS * 30_000,
}, async () => {
  const random = randomFrom(SEED);
  const folder = tempFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const script = join(import.meta.dirname, 'task-crasher.ts');
    const crasher = new StartedProcess(process.execPath, [script, folder, String(round)], {});
    await told(crasher, 1 + random(TASKS_MAX));
    crasher.child.kill('SIGKILL');
    expect(await crasher.ended(), crasher.stderr).toBe('SIGKILL');
    const count = crasher.stdout.split('.').length - 1;
    for (let n = 0; n < count; n += 1) acknowledged.push(`r${round}-${n}`);
  }

  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  const worker = taskWorker(store);
  worker.start();
  const all = () => store.tasks.tasks({limit: 100_000, offset: 0, isCounted: false});
  while ((await all()).tasks.some(task => !isOver(task.state))) await nextTurn();
  await worker.stop(1000);

  const {tasks} = await all();
  expect(tasks.filter(task => task.state !== 'completed').map(task => [task.title, task.problem])).toEqual(
    [],
  );
  const names = (kind: string) =>
    tasks.filter(task => task.workflow === kind).map(task => String(task.input));
  const known = new Set(tasks.map(task => task.input));
  expect(acknowledged.filter(name => !known.has(name))).toEqual([]);
  const {found} = await (await store.snapshot({branch: MAIN})).query({kind: 'TestTag'});
  expect(found.map(({node}) => String(node.value('name'))).sort()).toEqual(names('tag').sort());
  const first = names('tag').filter(name => !name.endsWith('-next'));
  expect(names('tag').sort()).toEqual([...first, ...first.map(name => `${name}-next`)].sort());
  const branches = (await store.branches()).map(branch => branch.name as string);
  expect(branches.filter(name => name !== MAIN).sort()).toEqual(names('branch').sort());
  const talks = tasks.filter(task => task.workflow === 'talk');
  expect(talks.map(task => task.result)).toEqual(talks.map(task => task.input));
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
