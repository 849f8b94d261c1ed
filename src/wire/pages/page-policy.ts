import {PAGE_HEADERS} from '../http/security-headers.ts';

/** A page runs what this server serves and nothing else. The pages that we serve write style elements. */
const pagePolicy = (...more: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    ...more,
  ].join('; ');

/** What a page tells the browser that opens it; it is asked for anew each time. */
export const pageHeaders = (...more: readonly string[]): Readonly<Record<string, string>> => ({
  ...PAGE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(...more),
  'cache-control': 'no-cache',
});
