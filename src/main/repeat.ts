import type {Log} from '../ports/log.ts';

/** Does something again and again, with a pause in between; a failure is logged and the next turn comes all the same. */
export function repeat(body: () => Promise<void>, pauseMillis: number, log: Log): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underway: Promise<void> | undefined;
  let isStopped = false;
  const turn = () => {
    underway = body()
      .catch((error: unknown) => log.error('work that is done again and again failed', {error}))
      .finally(() => {
        if (!isStopped) timer = setTimeout(turn, pauseMillis).unref();
      });
  };
  timer = setTimeout(turn, pauseMillis).unref();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await underway;
  };
}
