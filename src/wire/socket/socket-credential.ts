import type {IncomingHttpHeaders} from 'node:http';
import type {Credential} from '../../app/access/identify.ts';
import {isJsonObject, type Json} from '../../base/json.ts';
import {COOKIES, shownKey, shownToken} from '../http/credentials.ts';
import {type OwnOrigins, refuseForeignPage} from '../http/credentials-origin.ts';

/** What a request shows in headers that its sender set on purpose. */
export function headerCredential(headers: IncomingHttpHeaders): Credential | undefined {
  const secret = shownKey({headers});
  if (secret !== undefined) return {is: 'key', secret};
  const token = shownToken({headers}, COOKIES.access);
  return token === undefined || token.isFromCookie ? undefined : {is: 'token', text: token.text};
}

/** The same words in the payload of `connection_init`, in any case, beside others or under `headers`. */
export function payloadCredential(payload: Json): Credential | undefined {
  if (!isJsonObject(payload)) return undefined;
  const {headers} = payload;
  return (
    headerCredential(lowerCased(payload)) ?? (headers === undefined ? undefined : payloadCredential(headers))
  );
}

function lowerCased(payload: Readonly<Record<string, Json>>): IncomingHttpHeaders {
  const texts = Object.entries(payload).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const headers = texts.map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(headers.filter(([name]) => name !== 'cookie'));
}

/** The token that a browser sends along by itself. Refused when a page of somebody else made it do so. */
export function cookieCredential(headers: IncomingHttpHeaders, origins: OwnOrigins): Credential | undefined {
  const token = shownToken({headers: {cookie: headers.cookie}}, COOKIES.access);
  if (token === undefined) return undefined;
  refuseForeignPage({headers}, origins);
  return {is: 'token', text: token.text};
}
