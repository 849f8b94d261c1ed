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
export async function identify(deps: AccessServices, credential: Credential): Promise<Caller> {
  return (await admit(deps, credential)).caller;
}

/** As `identify`, for those who stay. */
export async function admit(deps: AccessServices, credential: Credential): Promise<Admission> {
  switch (credential.is) {
    case 'key':
      return byKey(deps, credential.secret);
    case 'token': {
      const {session, standing, endsSeconds} = await requireSession(deps, 'access', credential.text);
      return {
        caller: {...standing, session},
        endsMicros: endsSeconds * 1_000_000,
        standsOn: [standing.account, session],
      };
    }
    default:
      return {caller: await anonymous(deps, credential.onlyReads), endsMicros: undefined, standsOn: []};
  }
}

interface KnownKey {
  readonly id: NodeId;
  readonly account: NodeId;
  readonly endsMicros: number | undefined;
}

async function byKey(deps: AccessServices, secret: string): Promise<Admission> {
  const key = await keyOf(deps, deps.keyHash(secret));
  if (key === undefined) throw invalidToken();
  const now = deps.clock.nowMicros();
  if (key.endsMicros !== undefined && key.endsMicros <= now) throw expiredSignature();
  const standing = await deps.standings.of(key.account);
  if (standing === undefined) throw invalidToken();
  if (!standing.isActive) throw accountDeactivated();
  deps.keyUses.note(key.id, now);
  return {caller: standing, endsMicros: key.endsMicros, standsOn: [key.account, key.id]};
}

function keyOf({head}: AccessServices, hash: string): Promise<KnownKey | undefined> {
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

async function anonymous(deps: AccessServices, onlyReads: boolean): Promise<Caller> {
  if (!deps.settings.allowAnonymousAccess || !onlyReads) throw authenticationRequired();
  const {access} = await deps.standings.ofRole(ANONYMOUS_ROLE);
  return {account: null, access};
}
