import {ANONYMOUS_ROLE} from '../app/access/identify.ts';
import type {ServiceFacts, SignOnFacts} from '../wire/rest/service-routes.ts';
import type {Settings} from './settings/read.ts';
import {VERSION} from './version.ts';

/** What anybody may know of the settings. */
export function serviceFacts(settings: Settings): ServiceFacts {
  return {
    version: VERSION,
    publicUrl: settings.publicUrl,
    allowAnonymousAccess: settings.allowAnonymousAccess,
    anonymousRole: ANONYMOUS_ROLE,
    providers: [
      ...settings.oauth2Providers.map(provider => signOnFacts('oauth2', provider)),
      ...settings.oidcProviders.map(provider => signOnFacts('oidc', provider)),
    ],
  };
}

interface Provider {
  readonly name: string;
  readonly display_label?: string;
  readonly icon?: string;
}

const signOnFacts = (protocol: 'oauth2' | 'oidc', provider: Provider): SignOnFacts => ({
  name: provider.name,
  protocol,
  displayLabel: provider.display_label,
  icon: provider.icon,
});
