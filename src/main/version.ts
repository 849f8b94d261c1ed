import {readFileSync} from 'node:fs';

const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of the service, as its package says it. */
export const VERSION: string = version;
