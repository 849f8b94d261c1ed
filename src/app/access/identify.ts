import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import {authenticationRequired} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {parseIsoMicros} from '../../domain/time/instant.ts';
import type {Caller} from '../caller.ts';
import type {AccessServices} from './access-services.ts';
import {accountDeactivated, expiredSignature, invalidToken} from './refusals.ts';
import {requireSession} from './sessions.ts';

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

interface KnownKey {
  readonly id: NodeId;
  readonly account: NodeId;
  readonly endsMicros: number | undefined;
}

function byKey(deps: AccessServices, secret: string): Awaitable<Admission> {
  return whenReady(keyOf(deps, deps.keyHash(secret)), key => {
    if (key === undefined) throw invalidToken();
    const now = deps.clock.nowMicros();
    if (key.endsMicros !== undefined && key.endsMicros <= now) throw expiredSignature();
    return whenReady(deps.standings.of(key.account), standing => {
      if (standing === undefined) throw invalidToken();
      if (!standing.isActive) throw accountDeactivated();
      deps.keyUses.note(key.id, now);
      return {caller: standing, endsMicros: key.endsMicros, standsOn: [key.account, key.id]};
    });
  });
}

function keyOf({head}: AccessServices, hash: string): Awaitable<KnownKey | undefined> {
  return head.remember(`key ${hash}`, async snapshot => {
    const {found} = await snapshot.query({
      kind: 'InternalAccountToken',
      where: {is: 'attribute', attribute: 'token', property: 'value', test: {op: 'in', values: [hash]}},
      page: {limit: 1, offset: 0},
    });
    const record = found[0]?.node;
    if (record === undefined) return undefined;
    const account = (await snapshot.neighbours(record.id, 'account'))[0]?.id;
    const expiration = record.value('expiration');
    const endsMicros = typeof expiration === 'string' ? parseIsoMicros(expiration) : undefined;
    return account === undefined ? undefined : {id: record.id, account, endsMicros};
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
