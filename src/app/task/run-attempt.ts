import type {Json} from '../../base/json.ts';
import {ServiceError} from '../../domain/errors.ts';
import {backOffMillis} from '../../domain/task/back-off.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {AttemptEnd} from '../../ports/task-queue.ts';
import type {Attempt, AttemptAborted} from './attempt.ts';
import type {TaskHandler, Workflow} from './workflow.ts';

/** After this long a handler that was told to end is left to itself; nothing it does can count any more. */
const ABORT_GRACE_MILLIS = 2000;
const MICROS_PER_MILLI = 1000;

export type AttemptOutcome =
  | {readonly is: 'completed'; readonly result: Json}
  | AttemptEnd
  /** Another has the task, or it is over: there is nothing to say. */
  | {readonly is: 'lost'};

/** Lets a handler do its task, within the time that its workflow allows. */
export async function runAttempt(
  handler: TaskHandler,
  attempt: Attempt,
  now: () => Instant,
): Promise<AttemptOutcome> {
  const {workflow} = handler;
  const timer = setTimeout(() => attempt.abort('timeout'), workflow.secondsMax * 1000);
  try {
    return {is: 'completed', result: await untilGivenUp(handler, attempt)};
  } catch (error) {
    return endOf(attempt, workflow, error, now);
  } finally {
    clearTimeout(timer);
  }
}

/** A handler that does not heed its signal is not waited for: the slot is for others. */
async function untilGivenUp(handler: TaskHandler, attempt: Attempt): Promise<Json> {
  const {promise: givenUp, reject} = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  attempt.signal.addEventListener('abort', () => {
    timer = setTimeout(() => reject(attempt.signal.reason as AttemptAborted), ABORT_GRACE_MILLIS);
  });
  try {
    return await Promise.race([handler.run(attempt), givenUp]);
  } finally {
    clearTimeout(timer);
  }
}

function endOf(
  attempt: Attempt,
  workflow: Workflow<unknown>,
  error: unknown,
  now: () => Instant,
): AttemptOutcome {
  const again = () => {
    const wait = backOffMillis(attempt.task.attempt, Math.random()) * MICROS_PER_MILLI;
    return {retryAt: (now() + wait) as Instant};
  };
  switch (attempt.aborted) {
    case 'cancelled':
      return {is: 'cancelled'};
    case 'stopping':
      return {is: 'released'};
    case 'lost':
      return {is: 'lost'};
    case 'timeout': {
      const problem = `It took longer than ${workflow.secondsMax} seconds and was ended`;
      return {is: 'failed', problem, ...again()};
    }
    case undefined:
      return {is: 'failed', problem: problemOf(error), ...(mayPass(error) ? again() : {})};
  }
}

/** Bad input stays bad; anything else may be gone the next time. */
const mayPass = (error: unknown): boolean => !(error instanceof ServiceError) || error.code === 'UNAVAILABLE';

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
