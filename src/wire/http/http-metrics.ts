import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {Count, Metrics, Spread} from '../../ports/metrics.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** The figures of one endpoint. */
interface Meter {
  readonly seconds: Spread;
  readonly byStatus: Map<number, Count>;
}

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
  const running = metrics
    .gauge({name: 'http_requests_in_progress', help: 'Requests that are being answered.'})
    .at();
  const aborted = metrics
    .counter({name: 'http_requests_aborted_total', help: 'Requests that their caller gave up.'})
    .at();
  const meters = new Map<string, Map<string, Meter>>();
  const meterOf = (method: string, path: string): Meter => {
    const ofPath = meters.get(path) ?? new Map<string, Meter>();
    meters.set(path, ofPath);
    const known = ofPath.get(method);
    if (known !== undefined) return known;
    const made = {seconds: seconds.at({method, path}), byStatus: new Map<number, Count>()};
    ofPath.set(method, made);
    return made;
  };
  const countOf = ({byStatus}: Meter, method: string, path: string, status: number): Count => {
    const known = byStatus.get(status);
    if (known !== undefined) return known;
    const made = total.at({method, path, status_code: String(status)});
    byStatus.set(status, made);
    return made;
  };
  server.decorateRequest('isRunning', false);
  const leave = (request: Counted) => {
    if (request.isRunning) running.add(-1);
    request.isRunning = false;
  };
  server.addHook('onRequest', (request, _reply, done) => {
    (request as Counted).isRunning = true;
    running.add();
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    leave(request as Counted);
    const {method} = request;
    const path = pathLabel(request);
    const meter = meterOf(method, path);
    countOf(meter, method, path, reply.statusCode).add();
    meter.seconds.observe(reply.elapsedTime / 1000);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    leave(request as Counted);
    aborted.add();
    done();
  });
}

type Counted = FastifyRequest & {isRunning: boolean};

/** The template of the endpoint, of which there are few, and not what the caller wrote. */
export const pathLabel = (request: FastifyRequest): string =>
  request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
