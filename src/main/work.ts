import {hostname} from 'node:os';
import {branchHandlers} from '../app/branch/branch-handlers.ts';
import {TaskWorker} from '../app/task/task-worker.ts';
import type {TaskHandler} from '../app/task/workflow.ts';
import type {Metrics} from '../ports/metrics.ts';
import type {Tracer} from '../ports/tracer.ts';
import type {composeServices} from './services.ts';
import type {Settings} from './settings/read.ts';
import {tracedHandler} from './traced-handler.ts';

const LEASE_MILLIS = 30_000;
const MILLIS_PER_DAY = 86_400_000;

/** The worker of this process, with what it can do; `more` are the handlers of other rooms. */
export function composeWork(
  services: ReturnType<typeof composeServices>,
  settings: Settings,
  {metrics, tracer}: {readonly metrics: Metrics; readonly tracer: Tracer},
  more: readonly TaskHandler[],
): TaskWorker {
  return new TaskWorker({
    queue: services.tasks,
    handlers: [...branchHandlers(services), ...more].map(handler => tracedHandler(tracer, handler)),
    log: services.log.named('tasks'),
    metrics,
    parallelMax: settings.taskParallelMax,
    leaseMillis: LEASE_MILLIS,
    keepMillis: settings.taskKeepDays * MILLIS_PER_DAY,
    name: `${hostname()}:${process.pid}`,
  });
}
