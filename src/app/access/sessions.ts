import type {Awaitable} from '../../base/awaitable.ts';
import {
  isExpired,
  isTooEarly,
  readClaims,
  type SessionClaims,
  sessionClaims,
  type TokenType,
} from '../../domain/access/session-claims.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {parseIsoMicros} from '../../domain/time/instant.ts';
import type {Draft} from '../../ports/graph-store.ts';
import {type AccessServices, nowSeconds} from './access-services.ts';
import {accountDeactivated, expiredSignature, invalidToken} from './refusals.ts';
import type {Standing} from './standings.ts';
import {storedTime} from './stored-time.ts';

export interface SessionPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A token of a session that is still open, of an account that may come in. */
export interface OpenSession {
  readonly session: NodeId;
  readonly standing: Standing;
  /** When the token runs out. */
  readonly endsSeconds: number;
}

const SESSION = 'InternalRefreshToken';
/** Sessions that ran out are swept up by the account's next one, some at a time. */
const SWEPT_MAX = 20;

type Deps = Pick<AccessServices, 'store' | 'clock' | 'ids' | 'tokens' | 'settings' | 'head' | 'standings'>;

/** Opens a session for an account that has shown who it is. */
export async function openSession(deps: Deps, account: NodeId): Promise<SessionPair> {
  const session = deps.ids.nodeId();
  const now = deps.clock.nowMicros();
  const ends = now + deps.settings.refreshTokenLifetimeSeconds * 1_000_000;
  const author = {account, message: 'Log in'};
  await deps.store.write(deps.store.defaultBranch, author, async draft => {
    if ((await draft.node(account)) === undefined) throw invalidToken();
    await sweep(draft, account, now);
    const expiration = {value: storedTime(ends), isDefault: false};
    await draft.create({id: session, kind: SESSION, attributes: {expiration}});
    await draft.link({node: session, relationship: 'account', peer: account});
  });
  return {
    accessToken: await signToken(deps, 'access', account, session),
    refreshToken: await signToken(deps, 'refresh', account, session),
  };
}

export function signToken(deps: Deps, type: TokenType, account: NodeId, session: NodeId): Promise<string> {
  const {accessTokenLifetimeSeconds, refreshTokenLifetimeSeconds} = deps.settings;
  const lifetime = type === 'access' ? accessTokenLifetimeSeconds : refreshTokenLifetimeSeconds;
  return deps.tokens.sign(sessionClaims(type, account, session, nowSeconds(deps.clock), lifetime));
}

/** Ends a session, and with it its tokens of both types. */
export async function endSession(deps: Deps, {session, standing}: OpenSession): Promise<void> {
  const author = {account: standing.account, message: 'Log out'};
  await deps.store.write(deps.store.defaultBranch, author, async draft => {
    if ((await draft.node(session)) !== undefined) await draft.delete(session);
  });
}

/** Refuses a token that is not ours, ran out, is of the other type, or whose session or account is over. */
export async function requireSession(deps: Deps, type: TokenType, token: string): Promise<OpenSession> {
  const claims = readClaims(await deps.tokens.read(token));
  const now = nowSeconds(deps.clock);
  if (claims === undefined || claims.type !== type || isTooEarly(claims, now)) throw invalidToken();
  if (isExpired(claims, now)) throw expiredSignature();
  const standing = await deps.standings.of(claims.sub);
  if (standing === undefined || (await ownerOf(deps, claims)) !== claims.sub) throw invalidToken();
  if (!standing.isActive) throw accountDeactivated();
  return {session: claims.session_id, standing, endsSeconds: claims.exp};
}

function ownerOf(deps: Deps, {session_id: session}: SessionClaims): Awaitable<NodeId | undefined> {
  return deps.head.remember(`session ${session}`, async head => {
    if ((await head.node(session))?.kind !== SESSION) return undefined;
    return (await head.neighbours(session, 'account'))[0]?.id;
  });
}

async function sweep(draft: Draft, account: NodeId, nowMicros: number): Promise<void> {
  const {found} = await draft.query({
    kind: SESSION,
    where: {is: 'related', relationship: 'account', where: {is: 'id', in: [account]}},
    page: {limit: SWEPT_MAX, offset: 0},
  });
  for (const {node} of found) {
    const ends = parseIsoMicros(String(node.value('expiration')));
    if (ends !== undefined && ends <= nowMicros) await draft.delete(node.id);
  }
}
