export type SignOnProtocol = 'oauth2' | 'oidc';

/** Who somebody is at a provider. The subject alone identifies; everything else may be anybody's. */
export interface ExternalIdentity {
  readonly subject: string;
  /** What they are called, best first. */
  readonly names: readonly string[];
  readonly groups: readonly string[];
}

/** What must be known again when the browser comes back, and is nobody's business until then. */
export interface SignOnSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignOnReturn {
  readonly redirectUri: string;
  readonly state: string;
  readonly code: string;
  /** Who says that the browser comes from them, where the provider tells. */
  readonly issuer: string | undefined;
  readonly secrets: SignOnSecrets;
}

/** A service elsewhere that vouches for people. */
export interface IdentityProvider {
  readonly protocol: SignOnProtocol;
  readonly name: string;
  /** The address to send the browser to. */
  begin(redirectUri: string, state: string): Promise<{readonly url: string; readonly secrets: SignOnSecrets}>;
  /** Who came back, proven by what the provider itself signed or answered. */
  finish(back: SignOnReturn): Promise<ExternalIdentity>;
}

/** The provider cannot be reached, or what it answers cannot be believed. */
export class ProviderFailed extends Error {
  override name = 'ProviderFailed';
}
