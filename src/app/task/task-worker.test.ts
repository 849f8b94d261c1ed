import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openSqliteGraphStore} from '../../adapters/sqlite/sqlite-graph-store.ts';
import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {unavailable, validationError} from '../../domain/errors.ts';
import {isOver, type Task, type TaskId} from '../../domain/task/task.ts';
import {ALL_KINDS, chosen, freshId, MAIN, putKinds, SERVICE} from '../../ports/graph-store-fixtures.ts';
import type {Log} from '../../ports/log.ts';
import {NO_METRICS} from '../../ports/metrics.ts';
import {TaskWorker, type TaskWorkerOptions} from './task-worker.ts';
import {handlerOf, type TaskHandler, type TaskRun, taskOf, type Workflow} from './workflow.ts';

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warning: () => undefined,
  error: () => undefined,
  critical: () => undefined,
  named: () => SILENT,
  forRequest: () => SILENT,
};

const read = (input: Json): string => {
  if (typeof input !== 'string') throw validationError('a text is wanted');
  return input;
};
const ECHO: Workflow<string> = {name: 'echo', read, secondsMax: 60};
const URGENT: Workflow<string> = {name: 'urgent', read, secondsMax: 60};
const urgent = handlerOf(URGENT, async input => input);
const echo = handlerOf(ECHO, async input => ({said: input}));

/** Handlers that wait until they are let go. */
function gate(workflow: Workflow<string> = ECHO) {
  const started: TaskRun[] = [];
  const waiters: (() => void)[] = [];
  const go = Promise.withResolvers<void>();
  const handler = handlerOf(workflow, async (input, run) => {
    started.push(run);
    for (const waiter of waiters.splice(0)) waiter();
    await Promise.race([go.promise, aborted(run.signal)]);
    return input;
  });
  async function untilStarted(count: number): Promise<readonly TaskRun[]> {
    while (started.length < count) await new Promise<void>(resolve => waiters.push(resolve));
    return started;
  }
  return {handler, go: () => go.resolve(), untilStarted, started};
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-worker-'));
  const clock = {micros: 1_700_000_000_000_000, nowMicros: () => clock.micros};
  const store = await openSqliteGraphStore({folder, clock, readWorkers: 0});
  const workers: TaskWorker[] = [];
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop(0);
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });
  const queue = store.tasks;
  function start(handlers: readonly TaskHandler[], more: Partial<TaskWorkerOptions> = {}): TaskWorker {
    const worker = new TaskWorker({
      queue,
      handlers,
      log: SILENT,
      metrics: NO_METRICS,
      parallelMax: 4,
      leaseMillis: 30_000,
      keepMillis: 1_000_000,
      name: 'worker',
      ...more,
    });
    workers.push(worker);
    worker.start();
    return worker;
  }
  const enqueue = (input = 'x', title = 'Say it') => queue.enqueue(taskOf(ECHO, input, {title}));
  /** The task, once it is as wanted; it is looked at after every write. */
  async function once(id: TaskId, wanted: (task: Task) => boolean): Promise<Task> {
    for (;;) {
      const task = must(await queue.task(id), id);
      if (wanted(task)) return task;
      await new Promise(resolve => setImmediate(resolve));
    }
  }
  const over = (id: TaskId) => once(id, task => isOver(task.state));
  return {clock, store, queue, start, enqueue, once, over};
}

test('a task that was waiting and one that comes are done, with their results', async () => {
  const {start, enqueue, over} = await world();
  const before = await enqueue('early');
  start([echo]);
  expect((await over(before)).result).toEqual({said: 'early'});
  const after = await enqueue('late');
  expect(await over(after)).toMatchObject({state: 'completed', result: {said: 'late'}});
});

test('a task of a commit starts after it and sees what it wrote', async () => {
  const {start, store, over} = await world();
  await putKinds(store, MAIN, ...ALL_KINDS);
  const node = freshId();
  const seen = handlerOf(ECHO, async () =>
    (await store.snapshot({branch: MAIN})).node(node).then(it => it!.kind),
  );
  start([seen]);
  const {value: task} = await store.write(MAIN, SERVICE, async draft => {
    await draft.create({id: node, kind: 'TestTag', attributes: chosen({name: 'red'})});
    return draft.enqueue(taskOf(ECHO, 'x', {title: 'Look'}));
  });
  expect((await over(task)).result).toBe('TestTag');
});

test('no more run at a time than there are slots for, and none is left behind', async () => {
  const {start, enqueue, over} = await world();
  const held = gate();
  const worker = start([held.handler], {parallelMax: 3});
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await enqueue(String(n)));
  await held.untilStarted(2);
  expect(worker.running).toBe(2);
  held.go();
  for (const id of ids) expect((await over(id)).state).toBe('completed');
});

test('one slot is kept for urgent work, which goes first', async () => {
  const {start, enqueue, queue, over} = await world();
  const held = gate();
  start([held.handler, urgent], {parallelMax: 2});
  const long = [await enqueue('long'), await enqueue('longer')];
  await held.untilStarted(1);
  const id = await queue.enqueue(taskOf(URGENT, 'now', {title: 'Now', priority: 'high'}));
  expect((await over(id)).result).toBe('now');
  expect(held.started.length).toBe(1);
  held.go();
  for (const each of long) await over(each);
});

test('a workflow with a limit of its own leaves the other slots to others', async () => {
  const {start, queue, over} = await world();
  const one: Workflow<string> = {name: 'one', read, secondsMax: 60, parallelMax: 1};
  const held = gate(one);
  start([held.handler, echo]);
  for (const input of ['a', 'b']) await queue.enqueue(taskOf(one, input, {title: 'One by one'}));
  await held.untilStarted(1);
  const other = await queue.enqueue(taskOf(ECHO, 'x', {title: 'Other'}));
  expect((await over(other)).state).toBe('completed');
  expect(held.started.length).toBe(1);
  held.go();
  await held.untilStarted(2);
});

test('what a handler tells is there when the task is over', async () => {
  const {start, queue, enqueue, over} = await world();
  const talking = handlerOf(ECHO, async (_input, run) => {
    run.log('info', 'one');
    run.progress(0.5);
    run.log('warning', 'two');
    return null;
  });
  start([talking]);
  const id = await enqueue();
  await over(id);
  const [page] = await queue.logs([id], {limit: 10, offset: 0});
  expect(page?.lines.map(({severity, message}) => [severity, message])).toEqual([
    ['info', 'one'],
    ['warning', 'two'],
  ]);
});

test('bad input fails for good; what may pass is tried again later', async () => {
  const {start, queue, over, once, clock, enqueue} = await world();
  let calls = 0;
  const shaky = handlerOf(ECHO, async () => {
    calls += 1;
    if (calls === 1) throw unavailable('not now');
    return calls;
  });
  start([shaky]);
  const bad = await queue.enqueue({workflow: 'echo', title: 'Bad', input: 7});
  expect(await over(bad)).toMatchObject({state: 'failed', problem: 'a text is wanted', attempt: 1});
  const id = await enqueue();
  expect((await once(id, task => task.state === 'scheduled')).problem).toBe('not now');
  clock.micros += 2_000_000;
  await enqueue();
  expect(await over(id)).toMatchObject({state: 'completed', attempt: 2});
});

test('a handler that throws before it waits, or throws no error, has failed', async () => {
  const {start, once, enqueue} = await world();
  const rude: TaskHandler = {
    workflow: ECHO,
    run: () => {
      throw 'rude';
    },
  };
  start([rude]);
  expect((await once(await enqueue(), task => task.state === 'scheduled')).problem).toBe('rude');
});

test('cancelling aborts the handler, and the task is cancelled', async () => {
  const {start, queue, enqueue, over} = await world();
  const held = gate();
  start([held.handler]);
  const id = await enqueue();
  const [run] = await held.untilStarted(1);
  await queue.cancel(id);
  expect(run!.signal.aborted).toBe(true);
  expect((await over(id)).state).toBe('cancelled');
});

test('a handler that takes too long has failed, and its slot is free', async () => {
  const {start, queue, once} = await world();
  const short: Workflow<string> = {name: 'short', read, secondsMax: 0.01};
  const held = gate(short);
  const worker = start([held.handler], {parallelMax: 1});
  const id = await queue.enqueue(taskOf(short, 'x', {title: 'Too long', attemptsMax: 1}));
  const task = await once(id, ({state}) => state === 'failed');
  expect(task.problem).toBe('It took longer than 0.01 seconds and was ended');
  await once(id, () => worker.running === 0);
});

test('stopping waits for what runs, and gives back what does not end', async () => {
  const {start, queue, enqueue} = await world();
  const held = gate();
  const worker = start([held.handler]);
  const ending = await enqueue();
  await held.untilStarted(1);
  const stopped = worker.stop(60_000);
  held.go();
  await stopped;
  expect((await queue.task(ending))?.state).toBe('completed');

  const stuck = gate();
  const other = start([stuck.handler]);
  const id = await enqueue();
  await stuck.untilStarted(1);
  await other.stop(0);
  expect(await queue.task(id)).toMatchObject({state: 'pending', attempt: 1});
  start([echo]);
  await new Promise(resolve => setImmediate(resolve));
});

test('work that ends its task in its own commit is done exactly once', async () => {
  const {start, store, enqueue, over} = await world();
  await putKinds(store, MAIN, ...ALL_KINDS);
  const making = handlerOf(ECHO, async (name, run) => {
    run.log('info', `making ${name}`);
    await store.write(MAIN, SERVICE, async draft => {
      await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name})});
      await draft.finishTask({lease: run.lease, result: name});
    });
    return 'never stored';
  });
  start([making]);
  const id = await enqueue('red');
  expect((await over(id)).result).toBe('red');
});

test('a worker with nothing to do asks for nothing', async () => {
  const {start, store, enqueue, over} = await world();
  const worker = start([echo]);
  const id = await enqueue();
  await over(id);
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
  };
  while (worker.running > 0) await turns(1);
  await turns(50);
  const statements: string[] = [];
  for (const connection of [store.writer, store.reader]) connection.onStatement = sql => statements.push(sql);
  await turns(200);
  expect(statements).toEqual([]);
});

test('two workers share the work and never a task', async () => {
  const {start, enqueue, over} = await world();
  const done: string[] = [];
  const counting = handlerOf(ECHO, async input => {
    done.push(input);
    return null;
  });
  const ids = [];
  for (let n = 0; n < 30; n += 1) ids.push(await enqueue(String(n)));
  start([counting], {name: 'a'});
  start([counting], {name: 'b'});
  for (const id of ids) await over(id);
  expect(done.toSorted()).toEqual(ids.map((_, n) => String(n)).toSorted());
});

test('tasks that ended long ago are forgotten when others end', async () => {
  const {start, queue, enqueue, over, clock, once} = await world();
  const first = start([echo], {keepMillis: 1000});
  const old = await enqueue();
  await over(old);
  await first.stop(1000);
  clock.micros += 5_000_000;
  const worker = start([echo], {keepMillis: 1000});
  const id = await enqueue();
  await over(id);
  await once(id, () => worker.running === 0);
  expect(await queue.task(old)).toBeUndefined();
  expect(await queue.task(id)).toBeDefined();
});
