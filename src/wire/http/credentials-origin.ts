import type {IncomingHttpHeaders} from 'node:http';
import {HttpProblem} from './problem.ts';

/** The origins whose pages may act with the cookies of a browser, beside that of the server itself. */
export interface OwnOrigins {
  readonly publicUrl: string | undefined;
  readonly allowed: readonly string[];
}

interface Shown {
  readonly headers: IncomingHttpHeaders;
}

/**
 * Refuses what a page of somebody else makes a browser do with our cookies. Browsers tell where a request comes from
 * and pages cannot forge it; a client that says nothing is no browser, and brings its cookies on purpose.
 */
export function refuseForeignPage(request: Shown, origins: OwnOrigins): void {
  const {origin, referer, 'sec-fetch-site': site} = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  const from = origin ?? originOf(referer);
  if (site === undefined && from === undefined) return;
  if (from !== undefined && isOwn(from, request, origins)) return;
  throw new HttpProblem(403, 'A page of another origin may not act with the cookies of this one');
}

function isOwn(from: string, request: Shown, {publicUrl, allowed}: OwnOrigins): boolean {
  if (allowed.includes(from) || from === originOf(publicUrl)) return true;
  return URL.canParse(from) && new URL(from).host === request.headers.host;
}

const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
