import type {Settings} from './settings/read.ts';
import {DEFAULT_ADMIN_PASSWORD, SETTINGS} from './settings/table.ts';

/** What a person who just started the service wants to know. */
export function banner(address: string, settings: Pick<Settings, 'initialAdminPassword'>): string {
  const password =
    settings.initialAdminPassword === DEFAULT_ADMIN_PASSWORD
      ? `password "${DEFAULT_ADMIN_PASSWORD}"`
      : `the password from ${SETTINGS.initialAdminPassword.variable} at the first start`;
  return `
Trellis is ready at ${address}

  account   admin, ${password}
  try       curl ${address}/api/health
  stop      Ctrl-C

`;
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '::0']);

/** Where this machine reaches a server that listens on `host`. */
export function localAddress(host: string, port: number): string {
  const name = ANY_ADDRESS.has(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
