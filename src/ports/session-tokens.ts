import type {SessionClaims} from '../domain/access/session-claims.ts';

/** Signs what a session says of itself, and knows its own signature again. Says nothing of time. */
export interface SessionTokens {
  sign(claims: SessionClaims): Promise<string>;
  /** The payload of a text that we signed; undefined for every other text. */
  read(text: string): Promise<unknown>;
}
