import type {FastifyReply, FastifyRequest} from 'fastify';
import {Type} from 'typebox';
import {finalUrl} from '../../app/access/final-url.ts';
import {beginSignOn, finishSignOn, type SignOnServices} from '../../app/access/sign-on.ts';
import {type IdentityProvider, ProviderFailed, type SignOnProtocol} from '../../ports/identity-provider.ts';
import {type CookieSettings, setCookies} from '../http/credentials-cookies.ts';
import {HttpProblem} from '../http/problem.ts';
import {type AnyRoute, route} from './route.ts';

export interface SignOnWire {
  readonly providers: readonly IdentityProvider[];
  readonly cookies: CookieSettings;
  /** Origins beside our own that a browser may be sent to afterwards. */
  readonly finalOrigins: readonly string[];
}

const PROVIDER = {provider_name: Type.String({description: 'The name of a configured provider.'})};
const RETURNED = {
  state: Type.String(),
  code: Type.String(),
  iss: Type.Optional(Type.String({description: 'The issuer, where the provider tells it.'})),
};

const SESSION = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  final_url: Type.String(),
});

interface Returned {
  readonly state: string;
  readonly code: string;
  readonly iss?: string;
}

/** Single sign-on through OAuth 2.0 and OpenID Connect. */
export function signOnRoutes(deps: SignOnServices, wire: SignOnWire): readonly AnyRoute[] {
  const {publicUrl} = wire.cookies;

  function providerOf(protocol: SignOnProtocol, name: string): IdentityProvider {
    const found = wire.providers.find(each => each.protocol === protocol && each.name === name);
    if (found !== undefined) return found;
    throw new HttpProblem(400, `The provider ${name} has not been initialized`);
  }

  const baseOf = (http: FastifyRequest): string =>
    publicUrl ?? `${http.protocol}://${http.headers.host ?? 'localhost'}`;

  async function finish(
    provider: IdentityProvider,
    {state, code, iss}: Returned,
    http: FastifyRequest,
    reply: FastifyReply,
  ) {
    const end = {state, code, issuer: iss, address: http.ip};
    const outcome = await asked(deps, provider, () => finishSignOn(deps, provider, end));
    if (outcome.is === 'unknown-state') throw new HttpProblem(400, "Invalid 'state' parameter");
    const {accessToken: access, refreshToken: refresh} = outcome.session;
    setCookies(http, reply, wire.cookies, {access, refresh});
    void reply.header('cache-control', 'no-store');
    return {access_token: access, refresh_token: refresh, final_url: outcome.finalUrl};
  }

  return (['oauth2', 'oidc'] as const).flatMap(protocol => [
    route({
      method: 'GET',
      path: `/api/${protocol}/:provider_name/authorize`,
      summary: `Send the browser to a provider of ${protocol}`,
      status: 307,
      isOpen: true,
      errors: [400, 502],
      params: PROVIDER,
      query: {final_url: Type.Optional(Type.String({description: 'Where to go once signed on.'}))},
      async handle({params, query, http}, reply) {
        const provider = providerOf(protocol, params.provider_name);
        const base = baseOf(http);
        const begin = {
          redirectUri: `${base}/auth/${protocol}/${provider.name}/callback`,
          finalUrl: finalUrl(query.final_url, base, wire.finalOrigins),
        };
        const url = await asked(deps, provider, () => beginSignOn(deps, provider, begin));
        return reply.header('cache-control', 'no-store').redirect(url, 307);
      },
    }),
    route({
      method: 'GET',
      path: `/api/${protocol}/:provider_name/token`,
      summary: 'A session for what the provider sent back with the browser',
      isOpen: true,
      errors: [400, 502],
      answer: SESSION,
      params: PROVIDER,
      query: RETURNED,
      handle({params, query, http}, reply) {
        return finish(providerOf(protocol, params.provider_name), query, http, reply);
      },
    }),
    route({
      method: 'GET',
      path: `/auth/${protocol}/:provider_name/callback`,
      summary: 'Where the provider sends the browser back to: opens the session and goes on',
      params: PROVIDER,
      query: RETURNED,
      async handle({params, query, http}, reply) {
        const provider = providerOf(protocol, params.provider_name);
        const {final_url} = await finish(provider, query, http, reply);
        return reply.redirect(final_url, 303);
      },
    }),
  ]);
}

async function asked<T>(
  deps: SignOnServices,
  {protocol, name}: IdentityProvider,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    deps.audit.warning('sign-on failed at the provider', {provider: `${protocol}/${name}`, error});
    throw new HttpProblem(502, 'Invalid response from Authentication provider', {cause: error});
  }
}
