import {setImmediate as nextTurn} from 'node:timers/promises';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {TaskWorker} from '../../src/app/task/task-worker.ts';
import {handlerOf, taskOf, type Workflow} from '../../src/app/task/workflow.ts';
import type {Json} from '../../src/base/json.ts';
import type {NewTask} from '../../src/domain/task/task.ts';
import {branchName, chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';

const read = (input: Json): string => String(input);
const TAG: Workflow<string> = {name: 'tag', read, secondsMax: 60};
const BRANCH: Workflow<string> = {name: 'branch', read, secondsMax: 60};
const TALK: Workflow<string> = {name: 'talk', read, secondsMax: 60};

/** Work that shows when it was done twice: names of tags and of branches are unique. */
export const work = (kind: 'tag' | 'branch' | 'talk', name: string): NewTask =>
  taskOf({tag: TAG, branch: BRANCH, talk: TALK}[kind], name, {title: `${kind} ${name}`});

export function taskWorker(store: SqliteGraphStore): TaskWorker {
  const ids = timeOrderedIds(systemClock);
  const tagging = handlerOf(TAG, async (name, run) => {
    run.log('info', `making ${name}`);
    await store.write(MAIN, SERVICE, async draft => {
      await draft.create({id: ids.nodeId(), kind: 'TestTag', attributes: chosen({name})});
      if (!name.endsWith('-next')) await draft.enqueue(work('tag', `${name}-next`));
      await draft.finishTask({lease: run.lease, result: name});
    });
    return null;
  });
  const branching = handlerOf(BRANCH, async (name, run) => {
    const request = {name: branchName(name), origin: MAIN, description: '', syncWithGit: false};
    await store.createBranch(request, SERVICE, {finish: {lease: run.lease, result: name}});
    return null;
  });
  const talking = handlerOf(TALK, async (name, run) => {
    for (let n = 1; n <= 5; n += 1) {
      run.progress(n / 5);
      run.log('info', `${n}`);
      await nextTurn();
    }
    return name;
  });
  return new TaskWorker({
    queue: store.tasks,
    handlers: [tagging, branching, talking],
    log: createJsonLog({level: 'CRITICAL', clock: systemClock, to: process.stderr}),
    metrics: NO_METRICS,
    parallelMax: 4,
    leaseMillis: 3_600_000,
    keepMillis: 1e9,
    name: 'crash',
  });
}
