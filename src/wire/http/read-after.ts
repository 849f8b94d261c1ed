import type {FastifyInstance} from 'fastify';
import type {Instant} from '../../domain/time/instant.ts';
import {HttpProblem} from './problem.ts';

/** Which commits this server has seen, among those that several make. */
export interface CommitsOfAnswers {
  committed(): Instant;
  reach(commit: Instant): Promise<void>;
}

export const READ_AFTER = 'x-read-after';
const COMMIT = 'x-commit';
const INSTANT = /^\d{1,16}$/;

/**
 * With `X-Read-After` a request sees at least the state of that commit, whatever server made it. Every answer to a
 * request that may write says in `X-Commit` which commit to name.
 */
export function readAfterCommits(server: FastifyInstance, commits: CommitsOfAnswers): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const asked = request.headers[READ_AFTER];
    if (asked === undefined) return done();
    if (typeof asked !== 'string' || !INSTANT.test(asked)) {
      return done(new HttpProblem(400, 'X-Read-After must be a commit, as X-Commit names it'));
    }
    // The server goes on when what is returned is settled.
    return commits.reach(Number(asked) as Instant);
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      void reply.header(COMMIT, String(commits.committed()));
    }
    done();
  });
}
