import cors from '@fastify/cors';
import {type FastifyInstance, type FastifyReply, fastify} from 'fastify';
import type {LastVerification} from '../../app/operations/last-verification.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Log} from '../../ports/log.ts';
import type {Metrics} from '../../ports/metrics.ts';
import type {Tracer} from '../../ports/tracer.ts';
import {addApiDocs} from '../openapi/docs-pages.ts';
import {openApiDocument} from '../openapi/document.ts';
import {healthRoutes} from '../rest/health-routes.ts';
import {type AnyRoute, MULTIPART_TYPE} from '../rest/route.ts';
import {addRoute} from '../rest/serve-route.ts';
import {logAnswer, logRequests, markAnswer, pathOf} from './access-log.ts';
import {answerClientError} from './client-error.ts';
import {compressAnswers} from './compress-answers.ts';
import {endConnectionsOnClose} from './drain.ts';
import {errorAnswer} from './error-answer.ts';
import type {HealthCheck} from './health.ts';
import {measureRequests} from './http-metrics.ts';
import {acceptJsonBodies} from './json-body.ts';
import {
  HEADERS_MILLIS_MAX,
  KEEP_ALIVE_MILLIS_MAX,
  PATH_PARAMETER_CHARACTERS_MAX,
  REQUEST_MILLIS_MAX,
} from './limits.ts';
import {HttpProblem} from './problem.ts';
import {type CommitsOfAnswers, readAfterCommits} from './read-after.ts';
import {requestIdOf} from './request-id.ts';
import {addSecurityHeaders} from './security-headers.ts';
import {sendProblem} from './send-problem.ts';
import {traceRequests} from './trace-requests.ts';

export interface HttpDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** The version of the service, for the API document. */
  readonly version: string;
  readonly bodyBytesMax: number;
  readonly corsOrigins: readonly string[];
  readonly healthChecks: readonly HealthCheck[];
  /** What health tells of the last proof of what is stored; absent where nothing is. */
  readonly lastVerification?: LastVerification;
  readonly routes: readonly AnyRoute[];
  /** The commits that answers are made from; absent where there are none. */
  readonly commits?: CommitsOfAnswers;
}

/** The HTTP server, not yet listening. */
export async function createHttpServer(deps: HttpDeps): Promise<FastifyInstance> {
  const log = deps.log.named('http');
  const server: FastifyInstance = fastify({
    genReqId: requestIdOf,
    bodyLimit: deps.bodyBytesMax,
    requestTimeout: REQUEST_MILLIS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MILLIS_MAX,
    http: {headersTimeout: HEADERS_MILLIS_MAX},
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {maxParamLength: PATH_PARAMETER_CHARACTERS_MAX},
    frameworkErrors(error, request, reply) {
      const {status, body} = errorAnswer(error, request.id);
      markAnswer(request, reply as FastifyReply);
      void (reply as FastifyReply).code(status).send(body);
      logAnswer(log, request, reply as FastifyReply);
    },
    clientErrorHandler: answerClientError,
  });
  acceptJsonBodies(server);
  traceRequests(server, deps.tracer);
  logRequests(server, log);
  measureRequests(server, deps.metrics);
  compressAnswers(server);
  const isStopping = endConnectionsOnClose(server);
  addSecurityHeaders(server);
  if (deps.corsOrigins.length > 0) {
    await server.register(cors, {origin: [...deps.corsOrigins], credentials: true});
  }
  server.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? endpointMissing(request.url) : undefined);
  });
  if (deps.commits !== undefined) readAfterCommits(server, deps.commits);
  server.setNotFoundHandler(request => {
    throw endpointMissing(request.url);
  });
  server.setErrorHandler(async (error, request, reply) => {
    const answer = errorAnswer(error, request.id);
    if (answer.unexpected) log.forRequest(request.id).error('a request met an unexpected fault', {error});
    return sendProblem(reply, answer);
  });
  const routes = [
    ...healthRoutes(deps.healthChecks, deps.clock, isStopping, deps.lastVerification),
    ...deps.routes,
  ];
  const isForm = ({bodyType}: AnyRoute) => bodyType === MULTIPART_TYPE;
  for (const route of routes.filter(row => !isForm(row))) addRoute(server, route, log);
  await server.register(async forms => {
    // Whoever takes a form reads it, piece by piece.
    forms.addContentTypeParser(MULTIPART_TYPE, (_request, _body, done) => done(null, undefined));
    for (const route of routes.filter(isForm)) addRoute(forms, route, log);
  });
  addApiDocs(server, openApiDocument(routes, deps.version));
  return server;
}

/** Known paths with another method end here too: to a caller that endpoint does not exist. */
function endpointMissing(url: string): HttpProblem {
  return new HttpProblem(404, `The requested endpoint ${pathOf(url)} does not exist`);
}
