import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {OpenSpan, Tracer} from '../../ports/tracer.ts';
import {pathLabel} from './http-metrics.ts';

/** Whoever only watches the service asks too often to be worth a trace. */
const UNTRACED: ReadonlySet<string> = new Set(['/api/health', '/health', '/api/metrics', '/metrics']);

/** A span for each request, under the one that its caller names. Costs nothing while tracing is off. */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  server.addHook('onRequest', (request, _reply, done) => {
    const path = pathLabel(request);
    if (UNTRACED.has(path)) return done();
    const facts = {'http.request.method': request.method, 'http.route': path, 'request.id': request.id};
    const carrier = {traceparent: request.headers.traceparent};
    tracer.enter(`${request.method} ${path}`, {kind: 'server', facts, carrier}, span => {
      spans.set(request, span);
      done();
    });
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.note({'http.response.status_code': reply.statusCode});
    if (reply.statusCode >= 500) span?.fail(`status ${reply.statusCode}`);
    span?.end();
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.end();
    done();
  });
}
