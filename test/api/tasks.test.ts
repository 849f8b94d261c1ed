import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {branchHandlers} from '../../src/app/branch/branch-handlers.ts';
import {TaskWorker} from '../../src/app/task/task-worker.ts';
import {handlerOf, taskOf, type Workflow} from '../../src/app/task/workflow.ts';
import type {Json} from '../../src/base/json.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {isOver, type TaskId, type TaskState} from '../../src/domain/task/task.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';
import {type Branches, type Loose, openBranches} from './branch-world.ts';

const NOTE: Workflow<string> = {name: 'note', read: (input: Json) => String(input), secondsMax: 60};

let own: Branches;
let worker: TaskWorker;

beforeAll(async () => {
  own = await openBranches();
  const {services, store} = own.world;
  const callerFor = async (account: NodeId | null) => ({...own.world.caller, account});
  const noting = handlerOf(NOTE, async (input, run) => {
    for (const word of ['one', 'two', 'three']) run.log('info', `${word} ${input}`);
    run.progress(0.5);
    return input;
  });
  worker = new TaskWorker({
    queue: store.tasks,
    handlers: [...branchHandlers({...services, callerFor}), noting],
    log: services.log,
    metrics: NO_METRICS,
    parallelMax: 2,
    leaseMillis: 30_000,
    keepMillis: 1e9,
    name: 'test',
  });
  worker.start();
});

afterAll(async () => {
  await worker.stop(0);
  await own.close();
});

async function ended(id: string): Promise<Loose> {
  const {store} = own.world;
  for (;;) {
    const task = await store.tasks.task(id as TaskId);
    if (task === undefined || isOver(task.state as TaskState)) break;
    await new Promise(resolve => setImmediate(resolve));
  }
  const found = await own.data(`{ ServiceTask(ids: ["${id}"]) { count edges { node {
    id title state conclusion workflow branch progress tags parameters result error attempts account_id
    created_at start_time updated_at related_node related_node_kind related_nodes { id kind }
    logs { count edges { node { id message severity timestamp task_id } } } } } } }`);
  return found.ServiceTask.edges[0].node;
}

describe('branch work that nobody waits for', () => {
  test('makes, rebases, validates, merges and deletes a branch', async () => {
    const made = await own.data(`mutation { BranchCreate(data: {name: "later", description: "of a task"},
      wait_until_completion: false) { ok object { name } task { id } } }`);
    expect(made.BranchCreate).toMatchObject({ok: true, object: null});
    const task = await ended(made.BranchCreate.task.id);
    expect(task).toMatchObject({
      title: 'Create branch later',
      state: 'COMPLETED',
      conclusion: 'SUCCESS',
      workflow: 'branch-create',
      branch: 'later',
      progress: 1,
      result: {name: 'later'},
      error: null,
      attempts: 1,
    });
    const {Branch} = await own.data('{ Branch(name: "later") { description } }');
    expect(Branch).toEqual([{description: 'of a task'}]);

    await own.device('atl1', 'later');
    for (const [verb, result] of [
      ['BranchRebase', {changes: 0}],
      ['BranchValidate', {ok: true, messages: []}],
      ['BranchMerge', {changes: 1}],
    ] as const) {
      const answer = await own.data(
        `mutation { ${verb}(data: {name: "later"}, wait_until_completion: false) { ok object { name } task { id } } }`,
      );
      expect(answer[verb]).toMatchObject({ok: true, object: {name: 'later'}});
      expect(await ended(answer[verb].task.id)).toMatchObject({state: 'COMPLETED', branch: 'later', result});
    }
    expect(await own.names()).toEqual(['atl1']);

    const compared = await own.data(
      'mutation { DiffUpdate(data: {branch: "later"}, wait_until_completion: false) { ok task { id } } }',
    );
    expect((await ended(compared.DiffUpdate.task.id)).state).toBe('COMPLETED');

    const gone = await own.data(
      'mutation { BranchDelete(data: {name: "later"}, wait_until_completion: false) { ok task { id } } }',
    );
    expect((await ended(gone.BranchDelete.task.id)).state).toBe('COMPLETED');
    expect((await own.data('{ Branch(name: "later") { name } }')).Branch).toEqual([]);
    expect(await own.problems()).toEqual([]);
  });

  test('takes the old way of asking not to wait', async () => {
    const made = await own.data(
      'mutation { BranchCreate(data: {name: "old-way"}, background_execution: true) { ok task { id } } }',
    );
    expect((await ended(made.BranchCreate.task.id)).state).toBe('COMPLETED');
  });

  test('is refused at once when that can be told at once', async () => {
    const later = 'wait_until_completion: false';
    expect(
      await own.refused(`mutation { BranchMerge(data: {name: "nowhere"}, ${later}) { ok } }`),
    ).toMatchObject({code: 'BRANCH_NOT_FOUND'});
    expect(
      await own.refused(`mutation { BranchMerge(data: {name: "main"}, ${later}) { ok } }`),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(
      await own.refused(`mutation { BranchCreate(data: {name: "a b"}, ${later}) { ok } }`),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('that meets conflicts has failed, and its log names them', async () => {
    const id = await own.device('contested');
    await own.branch('clash');
    await own.set(id, 'height: {value: 1}', 'clash');
    await own.set(id, 'height: {value: 2}');
    const asked = await own.data(
      'mutation { BranchMerge(data: {name: "clash"}, wait_until_completion: false) { task { id } } }',
    );
    const task = await ended(asked.BranchMerge.task.id);
    expect(task).toMatchObject({state: 'FAILED', conclusion: 'FAILURE', attempts: 1, result: null});
    expect(task.error).toBe('The branch clash has 1 unresolved conflict; choose a side for each');
    expect(task.logs.edges.map((edge: Loose) => edge.node.message)).toEqual([
      `Conflict at data/${id}/height/value`,
      task.error,
    ]);
    expect(task.logs.edges[0].node).toMatchObject({severity: 'error', task_id: task.id});
  });

  test('that would make what is there by now has failed', async () => {
    await own.branch('taken');
    const asked = await own.data(
      'mutation { BranchCreate(data: {name: "taken"}, wait_until_completion: false) { task { id } } }',
    );
    expect(await ended(asked.BranchCreate.task.id)).toMatchObject({
      state: 'FAILED',
      error: 'The branch taken already exists',
    });
  });
});

describe('ServiceTask', () => {
  test('pages through the tasks and their logs, and answers under its other name', async () => {
    const {store} = own.world;
    const device = (await own.device('about')) as NodeId;
    const about = {
      title: 'Note the Weather',
      tags: ['a'],
      relatedNodes: [{id: device, kind: 'InfraDevice'}],
    };
    const first = await store.tasks.enqueue(taskOf(NOTE, 'sun', about));
    const second = await store.tasks.enqueue(taskOf(NOTE, 'rain', {...about, relatedNodes: []}));
    const task = await ended(first);
    await ended(second);
    expect(task).toMatchObject({
      parameters: 'sun',
      tags: ['a'],
      related_node: device,
      related_node_kind: 'InfraDevice',
      related_nodes: [{id: device, kind: 'InfraDevice'}],
      logs: {count: 3},
    });
    const found = await own.data(`{
      both: ServiceTask(workflow: ["note", null], limit: 1) { count edges { node { id } } }
      rest: InfrahubTask(workflow: ["note"], limit: 5, offset: 1, log_limit: 1, log_offset: 1)
        { edges { node { id logs { count edges { node { message } } } } } }
      named: ServiceTask(q: "the weather", related_node__ids: ["${device}"]) { count edges { node { id } } }
      done: ServiceTask(state: [COMPLETED], ids: ["${second}"]) { edges { node { id state } } }
      none: ServiceTask(state: [RUNNING, SCHEDULED], branch: "nowhere") { count edges { node { id } } }
    }`);
    expect(found.both).toEqual({count: 2, edges: [{node: {id: second}}]});
    expect(found.rest.edges).toEqual([
      {node: {id: first, logs: {count: 3, edges: [{node: {message: 'two sun'}}]}}},
    ]);
    expect(found.named).toEqual({count: 1, edges: [{node: {id: first}}]});
    expect(found.done.edges).toEqual([{node: {id: second, state: 'COMPLETED'}}]);
    expect(found.none).toEqual({count: 0, edges: []});
  });

  test('refuses pages that are out of bounds', async () => {
    for (const page of ['limit: -1', 'offset: -1', 'limit: 10000000', 'log_limit: -1']) {
      expect(await own.refused(`{ ServiceTask(${page}) { count } }`)).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
  });

  test('tells what is about to change a branch', async () => {
    const {tasks} = own.world.store;
    const merge = {workflow: 'branch-merge', title: 'Later', input: null, branch: 'clash' as never};
    const id = await tasks.enqueue({...merge, dueAt: (tasks.now() + 1e12) as never});
    const ask = () =>
      own.data('{ ServiceTaskBranchStatus(branch: "clash") { count edges { node { id state } } } }');
    expect((await ask()).ServiceTaskBranchStatus).toEqual({
      count: 1,
      edges: [{node: {id, state: 'SCHEDULED'}}],
    });
    const gone = await own.data(`mutation { ServiceTaskCancel(data: {id: "${id}"}) { ok task { id } } }`);
    expect(gone.ServiceTaskCancel).toEqual({ok: true, task: {id}});
    expect((await ask()).ServiceTaskBranchStatus.count).toBe(0);
    expect((await ended(id)).state).toBe('CANCELLED');
  });

  test('is cancelled by who started it or who administers, and by nobody else', async () => {
    const {world} = own;
    const account = '0190aaaa-0000-7000-8000-000000000001' as NodeId;
    const about = {title: 'Theirs', account, dueAt: (world.store.tasks.now() + 1e12) as never};
    const id = await world.store.tasks.enqueue(taskOf(NOTE, 'x', about));
    const {caller} = world;
    const cancel = `mutation { ServiceTaskCancel(data: {id: "${id}"}) { ok } }`;
    world.caller = {account: '0190aaaa-0000-7000-8000-000000000002' as NodeId, access: {allows: () => false}};
    try {
      expect(await own.refused(cancel)).toMatchObject({code: 'PERMISSION_DENIED'});
      world.caller = {account, access: {allows: () => false}};
      expect((await own.data(cancel)).ServiceTaskCancel.ok).toBe(true);
    } finally {
      world.caller = caller;
    }
    expect(await own.refused('mutation { ServiceTaskCancel(data: {id: "none"}) { ok } }')).toMatchObject({
      code: 'NODE_NOT_FOUND',
    });
  });

  test('keeps what a task did from those who may not see what it is about', async () => {
    const {world} = own;
    const device = (await own.device('secret')) as NodeId;
    const about = {title: 'Note', relatedNodes: [{id: device, kind: 'InfraDevice'}]};
    const id = await world.store.tasks.enqueue(taskOf(NOTE, 'hidden', about));
    await ended(id);
    const {caller} = world;
    world.caller = {...caller, access: {allows: need => need.is === 'global' || need.kind !== 'InfraDevice'}};
    try {
      expect(await ended(id)).toMatchObject({
        title: 'Note',
        parameters: null,
        result: null,
        related_nodes: [],
        logs: {count: 0, edges: []},
      });
      const mine = '0190aaaa-0000-7000-8000-000000000003' as NodeId;
      const [theirs, ours] = [
        await world.store.tasks.enqueue(taskOf(NOTE, 'of another', {title: 'Theirs'})),
        await world.store.tasks.enqueue(taskOf(NOTE, 'of mine', {title: 'Mine', account: mine})),
      ];
      world.caller = {...world.caller, account: mine};
      expect(await ended(theirs)).toMatchObject({parameters: null, logs: {count: 0}});
      expect(await ended(ours)).toMatchObject({parameters: 'of mine', logs: {count: 3}});
    } finally {
      world.caller = caller;
    }
  });
});
