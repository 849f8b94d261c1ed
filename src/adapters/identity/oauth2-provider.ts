import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client';
import {
  type ExternalIdentity,
  type IdentityProvider,
  ProviderFailed,
  type SignOnReturn,
} from '../../ports/identity-provider.ts';
import {identityOf} from './claims.ts';
import {DEFAULT_SCOPES, failed, returnUrl} from './openid-provider.ts';

const ANSWER_SECONDS_MAX = 10;

export interface Oauth2Settings {
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly authorization_url: string;
  readonly token_url: string;
  readonly userinfo_url?: string;
  readonly scopes?: readonly string[];
}

/** A provider of plain OAuth 2.0, with PKCE: who somebody is, its userinfo address tells. */
export function oauth2Provider(settings: Oauth2Settings): IdentityProvider {
  const config = configurationOf(settings);
  return {
    protocol: 'oauth2',
    name: settings.name,
    async begin(redirectUri, state) {
      const secrets = {nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier()};
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: (settings.scopes ?? DEFAULT_SCOPES).join(' '),
        state,
        code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      });
      return {url: url.href, secrets};
    },
    async finish(back) {
      try {
        return await identityFrom(config, settings.userinfo_url, back);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

function configurationOf(settings: Oauth2Settings): Configuration {
  const {authorization_url, token_url} = settings;
  const config = new Configuration(
    {
      issuer: new URL(authorization_url).origin,
      authorization_endpoint: authorization_url,
      token_endpoint: token_url,
    },
    settings.client_id,
    settings.client_secret,
  );
  config.timeout = ANSWER_SECONDS_MAX;
  config[customFetch] = withoutIdToken;
  const urls = [authorization_url, token_url, settings.userinfo_url ?? token_url];
  if (urls.some(url => url.startsWith('http:'))) allowInsecureRequests(config);
  return config;
}

/** Some send an identity token unasked. Nothing tells whose signature it should bear, so nobody looks at it. */
const withoutIdToken: NonNullable<Configuration[typeof customFetch]> = async (url, options) => {
  const response = await fetch(url, options);
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const body: unknown = await response.json();
  const {status, headers} = response;
  if (typeof body !== 'object' || body === null) return new Response(JSON.stringify(body), {status, headers});
  const {id_token: _ignored, ...rest} = body as Record<string, unknown>;
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(JSON.stringify(rest), {status, headers: kept});
};

async function identityFrom(
  config: Configuration,
  userinfoUrl: string | undefined,
  back: SignOnReturn,
): Promise<ExternalIdentity> {
  if (userinfoUrl === undefined) throw new ProviderFailed('The provider has no userinfo_url to ask who came');
  const tokens = await authorizationCodeGrant(config, returnUrl(back), {
    expectedState: back.state,
    pkceCodeVerifier: back.secrets.codeVerifier,
  });
  const headers = new Headers({accept: 'application/json'});
  const url = new URL(userinfoUrl);
  const answer = await fetchProtectedResource(config, tokens.access_token, url, 'GET', null, headers);
  const claims: unknown = answer.ok ? await answer.json() : undefined;
  if (typeof claims !== 'object' || claims === null) {
    throw new ProviderFailed(`The provider answers ${answer.status} when asked who came`);
  }
  return identityOf(claims as Record<string, unknown>);
}
