import type {TaskHandler} from '../app/task/workflow.ts';
import type {Tracer} from '../ports/tracer.ts';

/** Each attempt at a task is a trace of its own: whoever caused it has long been answered. */
export function tracedHandler(tracer: Tracer, {workflow, run}: TaskHandler): TaskHandler {
  if (!tracer.isOn) return {workflow, run};
  return {
    workflow,
    run: attempt => {
      const facts = {'task.id': attempt.task.id, 'task.attempt': attempt.lease.attempt};
      return tracer.span(`task ${workflow.name}`, {kind: 'consumer', facts}, () => run(attempt));
    },
  };
}
