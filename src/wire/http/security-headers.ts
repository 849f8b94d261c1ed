import type {IncomingMessage, ServerResponse} from 'node:http';
import type {FastifyInstance} from 'fastify';
import helmet, {type HelmetOptions} from 'helmet';

const YEAR_SECONDS = 31_536_000;

/**
 * What answers tell a browser. Answers are data: no page may be made of them, none may frame them. The promise of https
 * counts only where it was made over https.
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

/** The others speak of what a page does with its windows and links, and data has none. */
const OF_DATA: ReadonlySet<string> = new Set([
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

type Headers = Readonly<Record<string, string>>;

/** Of a page that we serve, which says itself what it runs. */
export const PAGE_HEADERS: Headers = securityHeaders();

/** Every answer gets the same headers, so they are made once. */
export function addSecurityHeaders(server: FastifyInstance): void {
  const headers = Object.fromEntries(Object.entries(PAGE_HEADERS).filter(([name]) => OF_DATA.has(name)));
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

function securityHeaders(): Headers {
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
