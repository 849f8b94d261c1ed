import type {Clock} from '../../ports/clock.ts';
import type {GraphStore} from '../../ports/graph-store.ts';
import type {Ids} from '../../ports/ids.ts';
import type {Log} from '../../ports/log.ts';
import type {Passwords} from '../../ports/passwords.ts';
import type {SessionTokens} from '../../ports/session-tokens.ts';
import type {Schemas} from '../services.ts';
import {AtHead} from './at-head.ts';
import {keyHasher} from './key-hash.ts';
import {KeyUses} from './key-uses.ts';
import {LoginThrottle} from './login-throttle.ts';
import {Standings} from './standings.ts';

export interface AccessSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
  readonly allowAnonymousAccess: boolean;
}

export interface AccessParts {
  readonly store: GraphStore;
  readonly schemas: Schemas;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly tokens: SessionTokens;
  readonly settings: AccessSettings;
  /** Signs session tokens, and keys the hashes of API keys. */
  readonly secretKey: string;
}

/** What finding out who somebody is touches. */
export interface AccessServices extends Omit<AccessParts, 'secretKey'> {
  /** Where it is written who came in, who did not, and what they may do from now on. */
  readonly audit: Log;
  readonly head: AtHead;
  readonly standings: Standings;
  readonly keyHash: (secret: string) => string;
  readonly keyUses: KeyUses;
  readonly throttle: LoginThrottle;
}

export function accessServices({secretKey, ...parts}: AccessParts): AccessServices {
  const head = new AtHead(parts.store);
  return {
    ...parts,
    audit: parts.log.named('audit'),
    head,
    standings: new Standings(head),
    keyHash: keyHasher(secretKey),
    keyUses: new KeyUses(parts.store),
    throttle: new LoginThrottle(),
  };
}

export const nowSeconds = (clock: Clock): number => Math.floor(clock.nowMicros() / 1_000_000);
