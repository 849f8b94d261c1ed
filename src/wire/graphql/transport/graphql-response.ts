import type {FastifyReply, FastifyRequest} from 'fastify';
import {RETRY_AFTER_SECONDS} from '../../http/limits.ts';
import type {Answer} from '../answer.ts';

const UNAVAILABLE = 503;
const RESPONSE_TYPE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * A caller that knows GraphQL over HTTP hears by the status that its request could not be run; for others it is 200 once
 * the request is understood, whatever came of it. That the database is away concerns those in between too, who send a
 * request again.
 */
export function bodyOf(request: FastifyRequest, reply: FastifyReply, answer: Answer): string {
  const knowsRules = prefersResponseType(request.headers.accept ?? '');
  const isAway = answer.errors.some(({extensions}) => extensions.http_status === UNAVAILABLE);
  const status = isAway ? UNAVAILABLE : knowsRules && answer.isRefused ? 400 : 200;
  if (isAway) void reply.header('retry-after', RETRY_AFTER_SECONDS);
  const type = knowsRules ? `${RESPONSE_TYPE}; charset=utf-8` : JSON_TYPE;
  void reply.code(status).header('content-type', type);
  return answer.text;
}

/** The media types are taken in the order they are named unless weights say otherwise. */
function prefersResponseType(accept: string): boolean {
  if (!accept.includes('graphql-response')) return false;
  const weight = (type: string): number => {
    const part = accept.split(',').find(each => each.trim().toLowerCase().startsWith(type));
    if (part === undefined) return -1;
    return Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1);
  };
  const [modern, plain] = [weight(RESPONSE_TYPE), weight('application/json')];
  if (modern <= 0) return false;
  return (
    modern > plain || (modern === plain && accept.indexOf(RESPONSE_TYPE) < accept.indexOf('application/json'))
  );
}

/** A person with a browser, rather than a program. */
export const isBrowser = (request: FastifyRequest): boolean =>
  (request.headers.accept ?? '').toLowerCase().includes('text/html');
