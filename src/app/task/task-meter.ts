import type {Metrics} from '../../ports/metrics.ts';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];

/** The figures of a worker, by workflow. */
export function taskMeter(metrics: Metrics) {
  const duration = metrics.histogram({
    name: 'task_duration',
    help: 'Seconds that an attempt at a task took.',
    labels: ['workflow'],
    buckets: SECONDS,
  });
  const wait = metrics.histogram({
    name: 'task_wait',
    help: 'Seconds from when a task was due until it was taken.',
    labels: ['workflow'],
    buckets: SECONDS,
  });
  const ended = metrics.counter({
    name: 'task_attempts_total',
    help: 'Attempts at tasks that have ended, by how.',
    labels: ['workflow', 'end'],
  });
  return {
    started: (workflow: string, waitedSeconds: number) =>
      wait.at({workflow}).observe(Math.max(0, waitedSeconds)),
    ended(workflow: string, end: string, seconds: number) {
      duration.at({workflow}).observe(seconds);
      ended.at({workflow, end}).add();
    },
  };
}
