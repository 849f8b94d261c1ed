import {createHmac} from 'node:crypto';
import {BoundedMap} from '../../base/bounded-map.ts';

const RECENT_MAX = 1000;

/**
 * How API keys are stored: a hash under a key of its own, derived from the secret of the deployment, so that a copy
 * of the database alone neither tells nor confirms a key.
 */
export function keyHasher(secretKey: string): (secret: string) => string {
  const key = createHmac('sha256', secretKey).update('api keys').digest();
  const recent = new BoundedMap<string, string>(RECENT_MAX);
  return secret => {
    const known = recent.get(secret);
    if (known !== undefined) return known;
    const hash = `hmac-sha256:${createHmac('sha256', key).update(secret).digest('base64url')}`;
    recent.set(secret, hash);
    return hash;
  };
}
