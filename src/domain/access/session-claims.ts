import type {NodeId} from '../graph/node-id.ts';
import {isNodeId} from '../graph/node-id.ts';

/** What both tokens of a session say, in the names that travel. */
export interface SessionClaims {
  readonly sub: NodeId;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly fresh: boolean;
  readonly type: TokenType;
  readonly session_id: NodeId;
}

export type TokenType = 'access' | 'refresh';

/** Clocks of servers that share a secret may differ by this much when one reads what another has just signed. */
const NOT_BEFORE_SKEW_SECONDS = 5;

export function sessionClaims(
  type: TokenType,
  account: NodeId,
  session: NodeId,
  issuedSeconds: number,
  lifetimeSeconds: number,
): SessionClaims {
  return {
    sub: account,
    iat: issuedSeconds,
    nbf: issuedSeconds,
    exp: issuedSeconds + lifetimeSeconds,
    fresh: false,
    type,
    session_id: session,
  };
}

/** The claims of a payload whose signature is right; undefined when it is not one of ours. */
export function readClaims(payload: unknown): SessionClaims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const {sub, iat, nbf, exp, fresh, type, session_id} = payload as Readonly<Record<string, unknown>>;
  if (typeof sub !== 'string' || !isNodeId(sub)) return undefined;
  if (typeof session_id !== 'string' || !isNodeId(session_id)) return undefined;
  if (!isWhole(iat) || !isWhole(nbf) || !isWhole(exp) || typeof fresh !== 'boolean') return undefined;
  if (type !== 'access' && type !== 'refresh') return undefined;
  return {sub, iat, nbf, exp, fresh, type, session_id};
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

export const isTooEarly = ({nbf}: SessionClaims, nowSeconds: number): boolean =>
  nbf > nowSeconds + NOT_BEFORE_SKEW_SECONDS;

export const isExpired = ({exp}: SessionClaims, nowSeconds: number): boolean => exp <= nowSeconds;
