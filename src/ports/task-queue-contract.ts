import {describe, expect, onTestFinished, test} from 'vitest';
import type {Json} from '../base/json.ts';
import {branchNotFound} from '../domain/errors.ts';
import type {NewTask, TaskId, TaskState} from '../domain/task/task.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {Clock} from './clock.ts';
import type {GraphStore} from './graph-store.ts';
import {ALL_KINDS, branchName, chosen, freshId, MAIN, putKinds, SERVICE} from './graph-store-fixtures.ts';
import type {ClaimedTask, TaskNews, TaskQueue} from './task-queue.ts';

/** A queue and the graph whose commits it shares. */
export interface QueueWorld {
  readonly store: GraphStore;
  readonly tasks: TaskQueue;
  close(): Promise<void>;
}

export type OpenQueue = (options: {readonly clock: Clock}) => Promise<QueueWorld>;

const SECOND = 1_000_000;
const LEASE_MICROS = 30 * SECOND;

/** Time that stands still until it is moved. */
class StandingClock implements Clock {
  micros = 1_700_000_000_000_000;

  nowMicros(): number {
    return this.micros;
  }
}

/** What every backend of the task queue does. */
export function taskQueueContract(name: string, open: OpenQueue): void {
  async function world() {
    const clock = new StandingClock();
    const {store, tasks, close} = await open({clock});
    onTestFinished(close);
    const enqueue = (title: string, more: Partial<NewTask> = {}) =>
      tasks.enqueue({workflow: 'count', title, input: {n: 1}, ...more});
    const claim = (limit = 10, workflows = ['count']) =>
      tasks.claim({worker: 'worker-1', workflows, limit, leaseMicros: LEASE_MICROS});
    const one = async (): Promise<ClaimedTask> => {
      const [claimed, ...more] = await claim(1);
      expect(more).toEqual([]);
      expect(claimed).toBeDefined();
      return claimed!;
    };
    const stateOf = async (id: TaskId): Promise<TaskState | undefined> => (await tasks.task(id))?.state;
    const titles = (claimed: readonly ClaimedTask[]) => claimed.map(({task}) => task.title);
    return {clock, store, tasks, enqueue, claim, one, stateOf, titles};
  }

  const query = {limit: 100, offset: 0, isCounted: true};

  describe(`${name}: task-queue contract`, () => {
    describe('a task', () => {
      test('is given to one worker, with all that it was made of', async () => {
        const {tasks, claim, clock, one} = await world();
        const relatedNodes = [{id: freshId(), kind: 'TestTag'}];
        const account = freshId();
        const input: Json = {deep: [1, 'two', null, {three: true}]};
        const id = await tasks.enqueue({
          workflow: 'count',
          title: 'Count it',
          input,
          branch: MAIN,
          account,
          relatedNodes,
          tags: ['a', 'b'],
          priority: 'high',
        });
        const {task, lease} = await one();
        expect(task).toMatchObject({id, workflow: 'count', title: 'Count it', input, branch: MAIN, account});
        expect(task).toMatchObject({relatedNodes, tags: ['a', 'b'], priority: 'high', state: 'running'});
        expect(task).toMatchObject({attempt: 1, startedAt: clock.micros, createdAt: clock.micros});
        expect(lease).toEqual({task: id, attempt: 1});
        expect(await claim()).toEqual([]);
        expect(await tasks.task(id)).toEqual(task);
      });

      test('is completed with its result', async () => {
        const {tasks, enqueue, one, clock} = await world();
        const id = await enqueue('a');
        const {lease} = await one();
        clock.micros += SECOND;
        expect(await tasks.complete(lease, {total: 3})).toBe(true);
        expect(await tasks.task(id)).toMatchObject({
          state: 'completed',
          result: {total: 3},
          progress: 1,
          endedAt: clock.micros,
        });
        expect(await tasks.complete(lease, {total: 4})).toBe(false);
      });

      test('that nobody knows is not there', async () => {
        const {tasks} = await world();
        const id = freshId() as string as TaskId;
        expect(await tasks.task(id)).toBeUndefined();
        await expect(tasks.cancel(id)).rejects.toMatchObject({code: 'NODE_NOT_FOUND'});
      });

      test('goes only to workers that know its workflow', async () => {
        const {enqueue, claim, titles} = await world();
        await enqueue('a', {workflow: 'other'});
        await enqueue('b');
        expect(titles(await claim())).toEqual(['b']);
        expect(titles(await claim(10, ['other', 'count']))).toEqual(['a']);
      });
    });

    describe('the order', () => {
      test('leaves what is less urgent than wanted', async () => {
        const {tasks, enqueue, titles} = await world();
        for (const priority of ['low', 'normal', 'high'] as const) await enqueue(priority, {priority});
        const request = {worker: 'w', workflows: ['count'], limit: 5, leaseMicros: LEASE_MICROS};
        expect(titles(await tasks.claim({...request, least: 'high'}))).toEqual(['high']);
        expect(titles(await tasks.claim({...request, least: 'normal'}))).toEqual(['normal']);
        expect(titles(await tasks.claim(request))).toEqual(['low']);
      });

      test('passes over workflows that have no room left', async () => {
        const {tasks, enqueue, titles} = await world();
        for (const title of ['a', 'b', 'c']) await enqueue(title, {workflow: 'other'});
        for (const title of ['d', 'e', 'f']) await enqueue(title);
        const request = {worker: 'w', workflows: ['count', 'other'], leaseMicros: LEASE_MICROS};
        const limits = {other: 1};
        expect(titles(await tasks.claim({...request, limit: 3, limits}))).toEqual(['a', 'd', 'e']);
        expect(titles(await tasks.claim({...request, limit: 3, limits: {other: 0}}))).toEqual(['f']);
      });

      test('is by priority, then by the time they are due, then as they came', async () => {
        const {enqueue, claim, titles, clock} = await world();
        const dueAt = (clock.micros - 5 * SECOND) as Instant;
        await enqueue('low', {priority: 'low', dueAt});
        await enqueue('first');
        await enqueue('second');
        await enqueue('early', {dueAt});
        await enqueue('high', {priority: 'high'});
        expect(titles(await claim(3))).toEqual(['high', 'early', 'first']);
        expect(titles(await claim(3))).toEqual(['second', 'low']);
      });

      test('leaves alone what is not due yet, and says when it will be', async () => {
        const {tasks, enqueue, claim, clock, stateOf, titles} = await world();
        const dueAt = (clock.micros + 10 * SECOND) as Instant;
        const id = await enqueue('later', {dueAt});
        expect(await claim()).toEqual([]);
        expect(await stateOf(id)).toBe('scheduled');
        expect(await tasks.nextDue(['count'])).toBe(dueAt);
        expect(await tasks.nextDue(['other'])).toBeUndefined();
        clock.micros = dueAt;
        expect(await stateOf(id)).toBe('pending');
        expect(titles(await claim())).toEqual(['later']);
      });
    });

    describe('a lease', () => {
      test('that ends passes the task on, and the late worker is refused', async () => {
        const {tasks, enqueue, one, clock, stateOf} = await world();
        const id = await enqueue('a');
        const late = await one();
        clock.micros += LEASE_MICROS;
        const next = await one();
        expect(next.task).toMatchObject({id, attempt: 2});
        expect(await tasks.complete(late.lease, 'late')).toBe(false);
        expect(await tasks.end(late.lease, {is: 'failed', problem: 'late'})).toBe(false);
        expect(await tasks.report(late.lease, {progress: 0.5})).toBe('lost');
        expect(await tasks.renew([late.lease, next.lease], LEASE_MICROS)).toEqual(['lost', 'held']);
        expect(await tasks.complete(next.lease, 'in time')).toBe(true);
        expect((await tasks.task(id))?.result).toBe('in time');
        expect(await stateOf(id)).toBe('completed');
      });

      test('that is renewed keeps the task', async () => {
        const {tasks, enqueue, one, claim, clock} = await world();
        await enqueue('a');
        const {lease} = await one();
        clock.micros += LEASE_MICROS - 1;
        expect(await tasks.renew([lease], LEASE_MICROS)).toEqual(['held']);
        clock.micros += LEASE_MICROS - 1;
        expect(await claim()).toEqual([]);
        expect(await tasks.nextDue(['count'])).toBe(clock.micros + 1);
        expect(await tasks.complete(lease, null)).toBe(true);
      });

      test('is refused once its task waits again', async () => {
        const {tasks, enqueue, one, clock, claim} = await world();
        await enqueue('a');
        const {lease} = await one();
        clock.micros += LEASE_MICROS;
        await claim(0);
        expect(await tasks.complete(lease, null)).toBe(false);
      });

      test('forgotten leaves nothing of the task, and lets its key be taken', async () => {
        const {tasks, enqueue, one} = await world();
        const key = {text: 'once', held: 'until-end'} as const;
        const id = await enqueue('a', {key});
        const {lease} = await one();
        await tasks.report(lease, {logs: [{at: tasks.now(), severity: 'info', message: 'said'}]});
        expect(await tasks.end(lease, {is: 'forgotten'})).toBe(true);
        expect(await tasks.task(id)).toBe(undefined);
        expect(await tasks.end(lease, {is: 'forgotten'})).toBe(false);
        expect(await enqueue('a', {key})).not.toBe(id);
      });

      test('given back lets another begin again at once', async () => {
        const {tasks, enqueue, one} = await world();
        await enqueue('a', {attemptsMax: 1});
        const {lease} = await one();
        expect(await tasks.end(lease, {is: 'released'})).toBe(true);
        expect((await one()).task.attempt).toBe(2);
      });

      test('lost too often ends the task as the one that kills its workers', async () => {
        const {enqueue, claim, clock, stateOf} = await world();
        const id = await enqueue('a');
        let attempts = 0;
        while ((await claim()).length > 0) {
          attempts += 1;
          clock.micros += LEASE_MICROS;
        }
        expect(attempts).toBe(10);
        expect(await stateOf(id)).toBe('crashed');
      });
    });

    describe('an attempt that fails', () => {
      test('is made again when it says so, until it may fail no more', async () => {
        const {tasks, enqueue, one, claim, clock, stateOf} = await world();
        const id = await enqueue('a', {attemptsMax: 2});
        const retryAt = (clock.micros + SECOND) as Instant;
        await tasks.end((await one()).lease, {is: 'failed', problem: 'no answer', retryAt});
        expect(await tasks.task(id)).toMatchObject({
          state: 'scheduled',
          problem: 'no answer',
          dueAt: retryAt,
        });
        expect(await claim()).toEqual([]);
        clock.micros = retryAt;
        await tasks.end((await one()).lease, {is: 'failed', problem: 'still none', retryAt});
        expect(await stateOf(id)).toBe('failed');
        expect(await claim()).toEqual([]);
        const [page] = await tasks.logs([id], {limit: 10, offset: 0});
        expect(page?.lines.map(({severity, message}) => [severity, message])).toEqual([
          ['warning', 'It is tried again: no answer'],
          ['error', 'still none'],
        ]);
      });

      test('for good is not made again', async () => {
        const {tasks, enqueue, one, claim} = await world();
        const id = await enqueue('a');
        await tasks.end((await one()).lease, {is: 'failed', problem: 'never'});
        expect(await tasks.task(id)).toMatchObject({state: 'failed', problem: 'never', result: null});
        expect(await claim()).toEqual([]);
      });
    });

    describe('cancelling', () => {
      test('ends a task that waits', async () => {
        const {tasks, enqueue, claim} = await world();
        const id = await enqueue('a');
        expect(await tasks.cancel(id)).toMatchObject({id, state: 'cancelled'});
        expect(await claim()).toEqual([]);
      });

      test('tells the worker of a task that runs', async () => {
        const {tasks, enqueue, one, stateOf} = await world();
        const id = await enqueue('a');
        const {lease} = await one();
        const news: TaskNews[] = [];
        tasks.watch(item => news.push(item));
        expect((await tasks.cancel(id)).state).toBe('cancelling');
        expect(news).toEqual([{is: 'cancelling', task: id}]);
        expect(await tasks.renew([lease], LEASE_MICROS)).toEqual(['cancelling']);
        expect(await tasks.report(lease, {})).toBe('cancelling');
        expect(await tasks.end(lease, {is: 'cancelled'})).toBe(true);
        expect(await stateOf(id)).toBe('cancelled');
      });

      test('ends a task whose worker went away, and one whose attempt failed', async () => {
        const {tasks, enqueue, one, claim, clock, stateOf} = await world();
        const gone = await enqueue('a');
        await one();
        await tasks.cancel(gone);
        const failed = await enqueue('b');
        const {lease} = await one();
        await tasks.cancel(failed);
        await tasks.end(lease, {is: 'failed', problem: 'no', retryAt: clock.micros as Instant});
        clock.micros += LEASE_MICROS;
        expect(await claim()).toEqual([]);
        expect(await stateOf(gone)).toBe('cancelled');
        expect(await stateOf(failed)).toBe('failed');
      });

      test('leaves a task that is over as it is', async () => {
        const {tasks, enqueue, one} = await world();
        const id = await enqueue('a');
        await tasks.complete((await one()).lease, 1);
        expect(await tasks.cancel(id)).toMatchObject({state: 'completed', result: 1});
      });
    });

    describe('a key', () => {
      test('held until the start gathers work that has not begun', async () => {
        const {enqueue, one} = await world();
        const key = {text: 'k', held: 'until-start'} as const;
        const first = await enqueue('a', {key});
        expect(await enqueue('b', {key})).toBe(first);
        await one();
        const second = await enqueue('c', {key});
        expect(second).not.toBe(first);
        expect(await enqueue('d', {key})).toBe(second);
      });

      test('held until the end lets no second one begin', async () => {
        const {tasks, enqueue, one} = await world();
        const key = {text: 'k', held: 'until-end'} as const;
        const first = await enqueue('a', {key});
        const {lease} = await one();
        expect(await enqueue('b', {key})).toBe(first);
        await tasks.complete(lease, null);
        expect(await enqueue('c', {key})).not.toBe(first);
      });

      test('held for ever outlives its task', async () => {
        const {tasks, enqueue, one} = await world();
        const key = {text: 'k', held: 'for-ever'} as const;
        const first = await enqueue('a', {key});
        await tasks.complete((await one()).lease, null);
        expect(await enqueue('b', {key})).toBe(first);
        expect(await enqueue('c', {key: {text: 'other', held: 'for-ever'}})).not.toBe(first);
      });

      test('is free again after a task was cancelled', async () => {
        const {tasks, enqueue} = await world();
        const key = {text: 'k', held: 'until-end'} as const;
        const first = await enqueue('a', {key});
        await tasks.cancel(first);
        expect(await enqueue('b', {key})).not.toBe(first);
      });
    });

    describe('what a task tells', () => {
      test('are its progress and its log, in order and by pages', async () => {
        const {tasks, enqueue, one, clock} = await world();
        const id = await enqueue('a');
        const {lease} = await one();
        const line = (message: string) => ({at: clock.micros as Instant, severity: 'info', message}) as const;
        await tasks.report(lease, {progress: 0.25, logs: [line('one'), line('two')]});
        await tasks.report(lease, {logs: [line('three')]});
        expect((await tasks.task(id))?.progress).toBe(0.25);
        const other = await enqueue('b');
        const [page, none] = await tasks.logs([id, other], {limit: 2, offset: 1});
        expect(page?.count).toBe(3);
        expect(page?.lines.map(({serial, message, task}) => [task, serial, message])).toEqual([
          [id, 2, 'two'],
          [id, 3, 'three'],
        ]);
        expect(none).toEqual({lines: [], count: 0});
      });

      test('has a limit', async () => {
        const {tasks, enqueue, one, clock} = await world();
        const id = await enqueue('a');
        const {lease} = await one();
        const logs = Array.from({length: 10_050}, (_, n) => ({
          at: clock.micros as Instant,
          severity: 'debug' as const,
          message: `${n}`.padEnd(n === 0 ? 20_000 : 1, 'x'),
        }));
        await tasks.report(lease, {logs});
        await tasks.report(lease, {logs});
        const [page] = await tasks.logs([id], {limit: 20_000, offset: 0});
        expect(page?.count).toBe(10_000);
        expect(page?.lines.length).toBe(10_000);
        expect(page?.lines[0]?.message.length).toBe(16_384);
        expect(page?.lines.at(-1)?.message).toBe('Further lines are left out.');
      });
    });

    describe('a list', () => {
      test('is newest first, by pages, with what each filter asks for', async () => {
        const {tasks, enqueue, one, clock} = await world();
        const node = freshId();
        const feature = branchName('feature');
        const a = await enqueue('Render the Café', {
          relatedNodes: [{id: node, kind: 'TestTag'}],
          priority: 'high',
        });
        const b = await enqueue('b 100%', {branch: feature, workflow: 'other'});
        const c = await enqueue('c', {dueAt: (clock.micros + SECOND) as Instant});
        await one();
        const find = async (more: object) => {
          const {tasks: found, count} = await tasks.tasks({...query, ...more});
          expect(count).toBeGreaterThanOrEqual(found.length);
          return found.map(task => task.id);
        };
        expect(await find({})).toEqual([c, b, a]);
        expect(await find({limit: 1, offset: 1})).toEqual([b]);
        expect((await tasks.tasks({...query, limit: 1})).count).toBe(3);
        expect((await tasks.tasks({...query, isCounted: false})).count).toBeUndefined();
        expect(await find({ids: [a, c]})).toEqual([c, a]);
        expect(await find({branch: feature})).toEqual([b]);
        expect(await find({workflows: ['other']})).toEqual([b]);
        expect(await find({relatedNodes: [node, freshId()]})).toEqual([a]);
        expect(await find({states: ['running']})).toEqual([a]);
        expect(await find({states: ['pending', 'scheduled']})).toEqual([c, b]);
        expect(await find({states: []})).toEqual([]);
        expect(await find({text: 'the CAFÉ'})).toEqual([a]);
        expect(await find({text: '100%'})).toEqual([b]);
        expect(await find({text: '_'})).toEqual([]);
      });

      test('loses what ended long ago, with its log, and nothing else', async () => {
        const {tasks, enqueue, one, clock} = await world();
        const old = await enqueue('old');
        const {lease} = await one();
        await tasks.end(lease, {is: 'failed', problem: 'no'});
        clock.micros += SECOND;
        const kept = await enqueue('kept');
        await tasks.complete((await one()).lease, 1);
        const waiting = await enqueue('waiting');
        expect(await tasks.forget(clock.micros as Instant, 10)).toBe(1);
        expect(await tasks.forget(clock.micros as Instant, 10)).toBe(0);
        expect((await tasks.tasks(query)).tasks.map(task => task.id)).toEqual([waiting, kept]);
        expect(await tasks.logs([old], {limit: 1, offset: 0})).toEqual([{lines: [], count: 0}]);
      });
    });

    describe('with the graph', () => {
      test('a task is there with the commit that causes it, and a watcher is told after it', async () => {
        const {store, tasks} = await world();
        await putKinds(store, MAIN, ...ALL_KINDS);
        const node = freshId();
        const seen: ReturnType<TaskQueue['tasks']>[] = [];
        tasks.watch(() => seen.push(tasks.tasks(query)));
        const {value: id, commit} = await store.write(MAIN, SERVICE, async draft => {
          await draft.create({id: node, kind: 'TestTag', attributes: chosen({name: 'red'})});
          return draft.enqueue({workflow: 'count', title: 'After red', input: node});
        });
        expect(commit).toBeDefined();
        expect(await tasks.task(id)).toMatchObject({state: 'pending', title: 'After red', input: node});
        expect((await Promise.all(seen)).map(page => page.count)).toEqual([1]);
      });

      test('a body that changes nothing may queue work', async () => {
        const {store, tasks} = await world();
        const {value: id, commit} = await store.write(MAIN, SERVICE, draft =>
          draft.enqueue({workflow: 'count', title: 'Only that', input: null}),
        );
        expect(commit).toBeUndefined();
        expect((await tasks.task(id))?.state).toBe('pending');
      });

      test('a write that fails leaves no task', async () => {
        const {store, tasks, claim} = await world();
        const failing = store.write(MAIN, SERVICE, async draft => {
          await draft.enqueue({workflow: 'count', title: 'Never', input: null});
          throw branchNotFound('nowhere');
        });
        await expect(failing).rejects.toMatchObject({code: 'BRANCH_NOT_FOUND'});
        expect((await tasks.tasks(query)).count).toBe(0);
        expect(await claim()).toEqual([]);
      });

      test('a task is completed by the commit that is its work, and lost with it', async () => {
        const {store, tasks, enqueue, one, stateOf, clock} = await world();
        await putKinds(store, MAIN, ...ALL_KINDS);
        const id = await enqueue('a');
        const late = await one();
        clock.micros += LEASE_MICROS + SECOND;
        const {lease} = await one();
        const work = (held: typeof lease, name: string) =>
          store.write(MAIN, SERVICE, async draft => {
            await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name})});
            await draft.finishTask({lease: held, result: name});
          });
        await expect(work(late.lease, 'late')).rejects.toMatchObject({code: 'CONSTRAINT_VIOLATION'});
        expect(await stateOf(id)).toBe('running');
        await work(lease, 'done');
        expect(await tasks.task(id)).toMatchObject({state: 'completed', result: 'done'});
        const {found} = await (await store.snapshot({branch: MAIN})).query({kind: 'TestTag'});
        expect(found.map(({node}) => node.value('name'))).toEqual(['done']);
      });

      test('making and deleting a branch queue and complete tasks in the same commit', async () => {
        const {store, tasks, enqueue, one, stateOf} = await world();
        const name = branchName('feature');
        const request = {name, origin: MAIN, description: '', syncWithGit: false};
        const making = await enqueue('make');
        const {lease} = await one();
        const next = {workflow: 'other', title: 'after', input: null};
        await store.createBranch(request, SERVICE, {enqueue: [next], finish: {lease, result: null}});
        expect(await stateOf(making)).toBe('completed');
        const again = store.createBranch({...request, name: branchName('second')}, SERVICE, {
          enqueue: [next],
          finish: {lease, result: null},
        });
        await expect(again).rejects.toMatchObject({code: 'CONSTRAINT_VIOLATION'});
        expect((await store.branches()).map(branch => branch.name)).toEqual([MAIN, name]);
        await store.deleteBranch(name, SERVICE, {enqueue: [next]});
        expect((await tasks.tasks({...query, workflows: ['other']})).count).toBe(2);
      });
    });
  });
}
