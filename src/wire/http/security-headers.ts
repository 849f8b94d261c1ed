import type {IncomingMessage, ServerResponse} from 'node:http';
import type {FastifyInstance} from 'fastify';
import helmet, {type HelmetOptions} from 'helmet';

const YEAR_SECONDS = 31_536_000;

/**
 * What every answer tells a browser. Answers are data: no page may be made of them, none may frame them. A page that we
 * serve says itself what it runs. The promise of https counts only where it was made over https.
 */
const OPTIONS: HelmetOptions = {
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

/** Every answer gets the same headers, so they are made once. */
export function addSecurityHeaders(server: FastifyInstance): void {
  const headers = securityHeaders();
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  helmet(OPTIONS)({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}
