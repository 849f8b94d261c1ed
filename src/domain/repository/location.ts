import {validationError} from '../errors.ts';

/** Where a repository is: a folder of this machine, or an address that Git can reach. */
export type GitLocation =
  | {readonly is: 'folder'; readonly path: string}
  | {readonly is: 'address'; readonly url: string};

const LENGTH_MAX = 2048;
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'ssh:', 'file:']);
/** `user@host:path`, the short form of ssh. */
const SCP_FORM = /^[\w.+-]+@[\w.-]+:[^:\s][^\s]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const CONTROL = /[\u0000-\u001f\u007f]/;
const FORMS =
  'https://host/path, http://host/path, ssh://user@host/path, user@host:path, file:///path or /path';

/** Refuses whatever Git might take for an option, a helper program or a protocol that is not meant. */
export function parseLocation(text: string): GitLocation {
  if (text.length > LENGTH_MAX || CONTROL.test(text)) throw notALocation(text);
  if (text.startsWith('/')) return {is: 'folder', path: text};
  if (SCP_FORM.test(text)) return {is: 'address', url: text};
  const url = urlOf(text);
  if (url === undefined || !PROTOCOLS.has(url.protocol) || url.hostname.startsWith('-'))
    throw notALocation(text);
  if (url.password !== '') {
    throw validationError(
      'A location may not hold a password, as everybody who sees the repository sees it; use its credential',
    );
  }
  if (url.protocol === 'file:') return {is: 'folder', path: decodeURIComponent(url.pathname)};
  if (url.hostname === '') throw notALocation(text);
  return {is: 'address', url: text};
}

function urlOf(text: string): URL | undefined {
  return /^[a-z]+:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

const notALocation = (text: string) =>
  validationError(`"${text.slice(0, 200)}" is not the location of a repository; write it as ${FORMS}`);
