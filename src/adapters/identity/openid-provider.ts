import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
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

const ANSWER_SECONDS_MAX = 10;
export const DEFAULT_SCOPES = ['openid', 'profile', 'email'];

export interface OpenidSettings {
  readonly name: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly discovery_url: string;
  readonly scopes?: readonly string[];
  readonly authorization_url?: string;
  readonly token_url?: string;
  readonly userinfo_url?: string;
}

/** A provider of OpenID Connect: its discovery document, signatures, issuer, nonce and PKCE are all checked. */
export function openidProvider(settings: OpenidSettings): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    known ??= discovered(settings).catch(error => {
      known = undefined;
      throw failed(error);
    });
    return known;
  };
  return {
    protocol: 'oidc',
    name: settings.name,
    async begin(redirectUri, state) {
      const config = await configuration();
      const secrets = {nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier()};
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: (settings.scopes ?? DEFAULT_SCOPES).join(' '),
        state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      });
      return {url: url.href, secrets};
    },
    async finish(back) {
      try {
        return await identityFrom(await configuration(), back);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

export const failed = (error: unknown): ProviderFailed =>
  error instanceof ProviderFailed
    ? error
    : new ProviderFailed('The identity provider did not answer as it should', {cause: error});

/** The address at which the browser came back, as the provider addressed it. */
export function returnUrl({redirectUri, code, state, issuer}: SignOnReturn): URL {
  const url = new URL(redirectUri);
  url.searchParams.set('code', code);
  url.searchParams.set('state', state);
  if (issuer !== undefined) url.searchParams.set('iss', issuer);
  return url;
}

async function discovered(settings: OpenidSettings): Promise<Configuration> {
  const url = new URL(settings.discovery_url);
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  const {client_id: id, client_secret: secret} = settings;
  const found = await discovery(url, id, secret, undefined, {execute, timeout: ANSWER_SECONDS_MAX});
  const {authorization_url, token_url, userinfo_url} = settings;
  const {supportsPKCE: _helper, ...metadata} = found.serverMetadata();
  const config = new Configuration(
    {
      ...metadata,
      ...(authorization_url === undefined ? {} : {authorization_endpoint: authorization_url}),
      ...(token_url === undefined ? {} : {token_endpoint: token_url}),
      ...(userinfo_url === undefined ? {} : {userinfo_endpoint: userinfo_url}),
      // Clients hand on `state` and `code` alone; each provider has a return address of its own instead.
      authorization_response_iss_parameter_supported: false,
    },
    id,
    secret,
  );
  config.timeout = ANSWER_SECONDS_MAX;
  for (const apply of execute) apply(config);
  enableNonRepudiationChecks(config);
  return config;
}

async function identityFrom(config: Configuration, back: SignOnReturn): Promise<ExternalIdentity> {
  const tokens = await authorizationCodeGrant(config, returnUrl(back), {
    expectedState: back.state,
    expectedNonce: back.secrets.nonce,
    pkceCodeVerifier: back.secrets.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailed('The identity provider sent no identity');
  if (config.serverMetadata().userinfo_endpoint === undefined) return identityOf(claims);
  const info = await fetchUserInfo(config, tokens.access_token, claims.sub);
  return identityOf({...claims, ...info});
}
