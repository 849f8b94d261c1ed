import {nodeNotFound} from '../../domain/errors.ts';
import type {Task, TaskId} from '../../domain/task/task.ts';
import {authorize, type Caller} from '../caller.ts';
import type {Services} from '../services.ts';

/** Ends a task. Everybody may end what they have started, and those who administer the service anything. */
export async function cancelTask(
  {tasks}: Pick<Services, 'tasks'>,
  caller: Caller,
  id: TaskId,
): Promise<Task> {
  const task = await tasks.task(id);
  if (task === undefined) throw nodeNotFound('ServiceTask', id);
  const isOwn = task.account !== null && task.account === caller.account;
  if (!isOwn) authorize(caller, {is: 'global', action: 'super_admin'});
  return tasks.cancel(id);
}
