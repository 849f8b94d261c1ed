import {Type} from 'typebox';
import type {AccessServices} from '../../app/access/access-services.ts';
import {logIn} from '../../app/access/log-in.ts';
import {endSession, requireSession, signToken} from '../../app/access/sessions.ts';
import {authenticationRequired} from '../../domain/errors.ts';
import {COOKIES, shownToken} from '../http/credentials.ts';
import {type CookieSettings, clearCookies, setCookies} from '../http/credentials-cookies.ts';
import {type OwnOrigins, refuseForeignPage} from '../http/credentials-origin.ts';
import {HttpProblem} from '../http/problem.ts';
import {type AnyRoute, type RouteRequest, route} from './route.ts';

const LOGIN = Type.Object(
  {username: Type.String(), password: Type.String()},
  {examples: [{username: 'admin', password: 'service'}]},
);
const TOKENS = Type.Object(
  {access_token: Type.String(), refresh_token: Type.String()},
  {examples: [{access_token: 'eyJhbGciOi…', refresh_token: 'eyJhbGciOi…'}]},
);
const ACCESS_TOKEN = Type.Object({access_token: Type.String()}, {examples: [{access_token: 'eyJhbGciOi…'}]});

/** Everything under /api/auth: sessions. */
export function authRoutes(
  deps: AccessServices,
  settings: CookieSettings,
  origins: OwnOrigins,
): readonly AnyRoute[] {
  type AnyRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'http'>;

  function requireToken({http}: AnyRequest, cookie: string): string {
    const token = shownToken(http, cookie);
    if (token === undefined) throw authenticationRequired();
    if (token.isFromCookie) refuseForeignPage(http, origins);
    return token.text;
  }

  return [
    route({
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Open a session with a user name and a password',
      description: 'The tokens also come as cookies that scripts of a page cannot read.',
      isOpen: true,
      errors: [401, 403, 429],
      body: LOGIN,
      answer: TOKENS,
      async handle({body, http}, reply) {
        refuseForeignPage(http, origins);
        const {username, password} = body;
        const outcome = await logIn(deps, {username, password, address: http.ip});
        if (outcome.is === 'throttled') {
          void reply.header('retry-after', String(outcome.retryAfterSeconds));
          throw new HttpProblem(429, 'Too many failed logins; try again later');
        }
        const {accessToken: access, refreshToken: refresh} = outcome.session;
        setCookies(http, reply, settings, {access, refresh});
        void reply.header('cache-control', 'no-store');
        return {access_token: access, refresh_token: refresh};
      },
    }),
    route({
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'A new access token for an open session, in exchange for its refresh token',
      description: 'Send the refresh token as bearer, or its cookie.',
      errors: [403],
      answer: ACCESS_TOKEN,
      async handle({http}, reply) {
        const open = await requireSession(deps, 'refresh', requireToken({http}, COOKIES.refresh));
        const access = await signToken(deps, 'access', open.standing.account, open.session);
        setCookies(http, reply, settings, {access});
        void reply.header('cache-control', 'no-store');
        return {access_token: access};
      },
    }),
    route({
      method: 'POST',
      path: '/api/auth/logout',
      summary: 'End the session of an access token',
      description: 'Its tokens are good for nothing from now on.',
      errors: [403],
      answer: Type.Null(),
      async handle({http}, reply) {
        const open = await requireSession(deps, 'access', requireToken({http}, COOKIES.access));
        await endSession(deps, open);
        deps.audit.info('logout', {account: open.standing.account, address: http.ip});
        clearCookies(http, reply, settings);
        return reply.header('content-type', 'application/json; charset=utf-8').send('null');
      },
    }),
  ];
}
