import type {FastifyRequest} from 'fastify';
import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import {READ_AFTER} from './read-after.ts';

/**
 * Where several servers write, whoever asks one sees what any of them has acknowledged before: nobody misses their own
 * write because another server answers, and a right that was taken away is gone everywhere. A request that names its
 * commit has what it wants.
 */
export function seeingTheLatest<T>(
  latest: (() => Promise<void>) | undefined,
  next: (request: FastifyRequest) => Awaitable<T>,
): (request: FastifyRequest) => Awaitable<T> {
  if (latest === undefined) return next;
  return request =>
    whenReady(request.headers[READ_AFTER] === undefined ? latest() : undefined, () => next(request));
}
