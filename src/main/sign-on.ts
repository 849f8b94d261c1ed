import {oauth2Provider} from '../adapters/identity/oauth2-provider.ts';
import {openidProvider} from '../adapters/identity/openid-provider.ts';
import type {AccessServices} from '../app/access/access-services.ts';
import {PendingSignOns} from '../app/access/pending-sign-ons.ts';
import type {AnyRoute} from '../wire/rest/route.ts';
import {signOnRoutes} from '../wire/rest/sign-on-routes.ts';
import type {Settings} from './settings/read.ts';

/** The endpoints of single sign-on, for the providers of the settings. */
export function composeSignOn(access: AccessServices, settings: Settings): readonly AnyRoute[] {
  const {oauth2Providers, oidcProviders, signOnDefaultGroup, signOnFinalOrigins} = settings;
  const services = {...access, pending: new PendingSignOns(), defaultGroup: signOnDefaultGroup};
  return signOnRoutes(services, {
    providers: [...oauth2Providers.map(oauth2Provider), ...oidcProviders.map(openidProvider)],
    cookies: settings,
    finalOrigins: signOnFinalOrigins,
  });
}
