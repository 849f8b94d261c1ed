import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {Metrics} from '../../ports/metrics.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** Every request by the endpoint that answered it; paths that are no endpoint count as one. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const labels = ['method', 'path', 'status_code'];
  const total = metrics.counter({name: 'http_requests_total', help: 'Requests answered.', labels});
  const seconds = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'From the request to the end of its answer.',
    labels: ['method', 'path'],
    buckets: SECONDS,
  });
  const running = metrics.gauge({
    name: 'http_requests_in_progress',
    help: 'Requests that are being answered.',
  });
  const aborted = metrics.counter({
    name: 'http_requests_aborted_total',
    help: 'Requests that their caller gave up.',
  });
  const counted = new WeakSet<FastifyRequest>();
  const leave = (request: FastifyRequest) => {
    if (counted.delete(request)) running.add({}, -1);
  };
  server.addHook('onRequest', (request, _reply, done) => {
    counted.add(request);
    running.add({}, 1);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    leave(request);
    const place = {method: request.method, path: pathLabel(request)};
    total.add({...place, status_code: String(reply.statusCode)});
    seconds.observe(place, reply.elapsedTime / 1000);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    leave(request);
    aborted.add({});
    done();
  });
}

/** The template of the endpoint, of which there are few, and not what the caller wrote. */
export const pathLabel = (request: FastifyRequest): string =>
  request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
