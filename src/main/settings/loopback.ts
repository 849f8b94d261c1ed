import {isIPv4} from 'node:net';

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  if (isIPv4(name)) return name.startsWith('127.');
  return name === 'localhost' || name === '::1' || name.startsWith('::ffff:127.');
}
