import type {Worker} from 'node:worker_threads';

/** Tells a thread to end once it has done what it was asked before. */
export const CLOSE = 'close';

/** The number of a thread that is no more. */
const ENDED = -1;

/** Ends a thread by its own hand: one that is ended in the middle of a statement takes the whole process with it. */
export async function closeWorker(worker: Worker): Promise<void> {
  if (worker.threadId === ENDED) return;
  const {promise: exited, resolve} = Promise.withResolvers<void>();
  worker.once('exit', () => resolve());
  worker.ref();
  worker.postMessage(CLOSE);
  await exited;
}
