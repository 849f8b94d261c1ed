import {randomUUID} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

const UUID_4 = /^[\da-f]{8}-?[\da-f]{4}-?4[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i;

/** The caller's own id when it is a version 4 UUID, so that its logs and ours can be joined. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && UUID_4.test(given) ? given : randomUUID();
}
