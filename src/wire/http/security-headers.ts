import type {FastifyHelmetOptions} from '@fastify/helmet';

const YEAR_SECONDS = 31_536_000;

/**
 * What every answer tells a browser. Answers are data: no page may be made of them, none may frame them. A page that we
 * serve says itself what it runs. The promise of https counts only where it was made over https.
 */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: {maxAge: YEAR_SECONDS, includeSubDomains: false},
};
