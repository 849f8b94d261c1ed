import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type {Log} from '../../ports/log.ts';

/** Marks every answer with its request id and duration, and writes one line for it. */
export function logRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    markAnswer(request, reply);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(log, request, reply);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    log.forRequest(request.id).info(`${request.method} ${pathOf(request.url)} was given up by its caller`);
    done();
  });
}

export function markAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  void reply.header('x-process-time', (reply.elapsedTime / 1000).toFixed(6));
}

export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(request.url);
  log.forRequest(request.id).info(`${request.method} ${path} ${reply.statusCode}`, {
    durationMillis: reply.elapsedTime,
    method: request.method,
    path,
    status: reply.statusCode,
  });
}

/** Query strings can hold secrets (`code`, `state`); they stay out of the log and of messages. */
export const pathOf = (url: string) => url.replace(/[?#].*$/s, '');
