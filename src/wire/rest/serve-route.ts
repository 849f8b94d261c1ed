import type {FastifyInstance, FastifyRequest} from 'fastify';
import type {TSchema} from 'typebox';
import {Compile} from 'typebox/compile';
import {must} from '../../base/assert.ts';
import type {Log} from '../../ports/log.ts';
import {type RequestFlaw, RequestInvalid} from '../http/problem.ts';
import {flawsOf, MISSING, type Where} from './flaws.ts';
import {queryValues} from './query-values.ts';
import {type AnyRoute, JSON_TYPE, type RouteRequest, writes} from './route.ts';

/** Puts a row of the table on the server. Its schemas are compiled once, here. */
export function addRoute(server: FastifyInstance, route: AnyRoute, log: Log): void {
  const read = requestReader(route, log);
  server.route({
    method: route.method,
    url: route.path,
    handler: async (http, reply) => {
      const request = read(http);
      void reply.code(route.status);
      return route.handle(request, reply);
    },
  });
}

type Check = (value: unknown) => readonly RequestFlaw[];

function requestReader(
  route: AnyRoute,
  log: Log,
): (http: FastifyRequest) => RouteRequest<unknown, unknown, unknown> {
  const checkParams = checker('path', route.params);
  const checkQuery = checker('query', route.query);
  const isChecked = route.body !== undefined && route.bodyType === JSON_TYPE;
  const checkBody = isChecked ? checker('body', must(route.body, 'a body')) : undefined;
  return http => {
    const raw = http.query as Record<string, string | string[]>;
    const query = queryValues(route.query, raw);
    const flaws = [
      ...checkParams(http.params),
      ...checkQuery(query),
      ...(writes(route) ? unknownParameters(route, raw) : []),
      ...(checkBody?.(http.body) ?? []),
    ];
    if (flaws.length > 0) throw new RequestInvalid(flaws);
    const requestId = http.id;
    return {params: http.params, query, body: http.body, requestId, log: log.forRequest(requestId), http};
  };
}

function checker(where: Where, schema: TSchema): Check {
  const validator = Compile(schema);
  return value => {
    if (validator.Check(value) || (value === undefined && '~optional' in schema)) return [];
    if (where === 'body' && value === undefined) return [{loc: ['body'], ...MISSING}];
    return flawsOf(where, value, validator.Errors(value));
  };
}

function unknownParameters(route: AnyRoute, raw: Readonly<Record<string, unknown>>): RequestFlaw[] {
  return Object.keys(raw)
    .filter(name => !Object.hasOwn(route.query.properties, name))
    .map(name => ({loc: ['query', name], msg: 'Unknown query parameter', type: 'extra_forbidden'}));
}
