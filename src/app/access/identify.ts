import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import {authenticationRequired} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {parseIsoMicros} from '../../domain/time/instant.ts';
import type {Caller} from '../caller.ts';
import type {AccessServices} from './access-services.ts';
import {accountDeactivated, expiredSignature, invalidToken} from './refusals.ts';
import {requireSession} from './sessions.ts';
import type {Standing} from './standings.ts';

/** The role of those who show nothing. */
export const ANONYMOUS_ROLE = 'Anonymous User';

/** What a request shows to be let in; the first that is there decides. */
export type Credential =
  | {readonly is: 'key'; readonly secret: string}
  | {readonly is: 'token'; readonly text: string}
  | {readonly is: 'none'; readonly onlyReads: boolean};

/** Somebody who was let in, and for how long that holds. */
export interface Admission {
  readonly caller: Caller;
  /** When what was shown runs out by itself; never when absent. */
  readonly endsMicros: number | undefined;
  /** The account, and the session or API key: a change of one of them may end it at once. */
  readonly standsOn: readonly NodeId[];
}

/** Who shows the credential, and what they may do now. */
export function identify(deps: AccessServices, credential: Credential): Awaitable<Caller> {
  return whenReady(admit(deps, credential), ({caller}) => caller);
}

/** As `identify`, for those who stay. */
export function admit(deps: AccessServices, credential: Credential): Awaitable<Admission> {
  switch (credential.is) {
    case 'key':
      return byKey(deps, credential.secret);
    case 'token':
      return byToken(deps, credential.text);
    default:
      return anonymous(deps, credential.onlyReads);
  }
}

async function byToken(deps: AccessServices, text: string): Promise<Admission> {
  const {session, standing, endsSeconds} = await requireSession(deps, 'access', text);
  return {
    caller: {...standing, session},
    endsMicros: endsSeconds * 1_000_000,
    standsOn: [standing.account, session],
  };
}

/** A key, and the account it belongs to as the service stands to it. */
interface KnownKey {
  readonly id: NodeId;
  readonly endsMicros: number | undefined;
  readonly standing: Standing;
  readonly admission: Admission;
}

function byKey(deps: AccessServices, secret: string): Awaitable<Admission> {
  return whenReady(keyOf(deps, deps.keyHash(secret)), key => {
    if (key === undefined) throw invalidToken();
    const now = deps.clock.nowMicros();
    if (key.endsMicros !== undefined && key.endsMicros <= now) throw expiredSignature();
    if (!key.standing.isActive) throw accountDeactivated();
    deps.keyUses.note(key.id, now);
    return key.admission;
  });
}

function keyOf({head, standings}: AccessServices, hash: string): Awaitable<KnownKey | undefined> {
  return head.remember(`key ${hash}`, async snapshot => {
    const {found} = await snapshot.query({
      kind: 'InternalAccountToken',
      where: {is: 'attribute', attribute: 'token', property: 'value', test: {op: 'in', values: [hash]}},
      page: {limit: 1, offset: 0},
    });
    const record = found[0]?.node;
    if (record === undefined) return undefined;
    const {id} = record;
    const account = (await snapshot.neighbours(id, 'account'))[0]?.id;
    const standing = account === undefined ? undefined : await standings.of(account);
    if (standing === undefined) return undefined;
    const expiration = record.value('expiration');
    const endsMicros = typeof expiration === 'string' ? parseIsoMicros(expiration) : undefined;
    const admission = {caller: standing, endsMicros, standsOn: [standing.account, id]};
    return {id, endsMicros, standing, admission};
  });
}

function anonymous(deps: AccessServices, onlyReads: boolean): Awaitable<Admission> {
  if (!deps.settings.allowAnonymousAccess || !onlyReads) throw authenticationRequired();
  return whenReady(deps.standings.ofRole(ANONYMOUS_ROLE), ({access}) => ({
    caller: {account: null, access},
    endsMicros: undefined,
    standsOn: [],
  }));
}
