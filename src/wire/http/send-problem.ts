import type {FastifyReply} from 'fastify';
import type {ErrorAnswer} from './error-answer.ts';
import {RETRY_AFTER_SECONDS} from './limits.ts';

/** Answers with an error; whoever meets a service that cannot serve now is told when to come back. */
export function sendProblem(reply: FastifyReply, {status, body}: ErrorAnswer): FastifyReply {
  if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.code(status).send(body);
}
