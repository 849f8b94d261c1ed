import type {IncomingHttpHeaders} from 'node:http';
import type {FastifyRequest} from 'fastify';
import type {AccessServices} from '../../app/access/access-services.ts';
import {type Credential, identify} from '../../app/access/identify.ts';
import type {Caller} from '../../app/caller.ts';
import type {Awaitable} from '../../base/awaitable.ts';
import {type OwnOrigins, refuseForeignPage} from './credentials-origin.ts';

/** The header that carries an API key, under each of its names. */
export const KEY_HEADERS = ['x-service-key', 'x-api-key', 'x-infrahub-key'] as const;

export const COOKIES = {access: 'access_token', refresh: 'refresh_token'} as const;

/** A token, and whether a browser sent it along unasked. */
export interface ShownToken {
  readonly text: string;
  readonly isFromCookie: boolean;
}

/** The part of a request that shows who it comes from. */
export interface Shown {
  readonly headers: IncomingHttpHeaders;
}

const BEARER = /^bearer +(\S.*)$/i;

/** What the request shows, in the order in which it counts. An empty header is no header. */
export function shownKey(request: Shown): string | undefined {
  for (const name of KEY_HEADERS) {
    const value = request.headers[name];
    const text = typeof value === 'string' ? value.trim() : undefined;
    if (text) return text;
  }
  return undefined;
}

/** The bearer token; without one, the token of the cookie. */
export function shownToken(request: Shown, cookie: string): ShownToken | undefined {
  const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (bearer !== undefined) return {text: bearer, isFromCookie: false};
  const text = cookieOf(request.headers.cookie ?? '', cookie);
  return text ? {text, isFromCookie: true} : undefined;
}

/** Tokens need no decoding: whatever does is not one of ours. */
function cookieOf(header: string, name: string): string | undefined {
  const pairs = header.split(';').map(pair => pair.trim());
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Who a request comes from. Refuses a credential that is not good, whatever others are beside it. */
export function callerOf(
  deps: AccessServices,
  origins: OwnOrigins,
): (request: FastifyRequest) => Awaitable<Caller> {
  return request => {
    const onlyReads = READING_METHODS.has(request.method);
    return identify(deps, credentialOf(request, origins, onlyReads));
  };
}

function credentialOf(request: FastifyRequest, origins: OwnOrigins, onlyReads: boolean): Credential {
  const secret = shownKey(request);
  if (secret !== undefined) return {is: 'key', secret};
  const token = shownToken(request, COOKIES.access);
  if (token === undefined) return {is: 'none', onlyReads};
  if (token.isFromCookie && !onlyReads) refuseForeignPage(request, origins);
  return {is: 'token', text: token.text};
}
