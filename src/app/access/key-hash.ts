import {createHmac} from 'node:crypto';

/**
 * How API keys are stored: a hash under a key of its own, derived from the secret of the deployment, so that a copy
 * of the database alone neither tells nor confirms a key.
 */
export function keyHasher(secretKey: string): (secret: string) => string {
  const key = createHmac('sha256', secretKey).update('api keys').digest();
  return secret => `hmac-sha256:${createHmac('sha256', key).update(secret).digest('base64url')}`;
}
