import {randomBytes} from 'node:crypto';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {ExternalIdentity, IdentityProvider} from '../../ports/identity-provider.ts';
import {createNode} from '../node/create-node.ts';
import {type WriteScope, writing} from '../write.ts';
import {type AccessServices, nowSeconds} from './access-services.ts';
import type {PendingSignOns} from './pending-sign-ons.ts';
import {accountDeactivated} from './refusals.ts';
import {openSession, type SessionPair} from './sessions.ts';

export interface SignOnServices extends AccessServices {
  readonly pending: PendingSignOns;
  /** The group of those whose provider names none; undefined: none. */
  readonly defaultGroup: string | undefined;
}

export interface SignOnBegin {
  readonly redirectUri: string;
  readonly finalUrl: string;
}

export interface SignOnEnd {
  readonly state: string;
  readonly code: string;
  readonly issuer: string | undefined;
  readonly address: string;
}

export type SignOnOutcome =
  | {readonly is: 'in'; readonly session: SessionPair; readonly finalUrl: string}
  | {readonly is: 'unknown-state'};

const keyOf = ({protocol, name}: IdentityProvider): string => `${protocol}/${name}`;

/** Sends somebody to a provider; the answer is the address. */
export async function beginSignOn(
  deps: SignOnServices,
  provider: IdentityProvider,
  {redirectUri, finalUrl}: SignOnBegin,
): Promise<string> {
  const state = deps.pending.newState();
  const {url, secrets} = await provider.begin(redirectUri, state);
  deps.pending.add(
    state,
    {provider: keyOf(provider), redirectUri, finalUrl, secrets},
    nowSeconds(deps.clock),
  );
  return url;
}

/** Opens a session for whom the provider vouches for. Whoever comes for the first time gets an account. */
export async function finishSignOn(
  deps: SignOnServices,
  provider: IdentityProvider,
  {state, code, issuer, address}: SignOnEnd,
): Promise<SignOnOutcome> {
  const pending = deps.pending.take(state, keyOf(provider), nowSeconds(deps.clock));
  if (pending === undefined) {
    deps.audit.warning('sign-on failed: unknown state', {provider: keyOf(provider), address});
    return {is: 'unknown-state'};
  }
  const {redirectUri, finalUrl, secrets} = pending;
  const identity = await provider.finish({redirectUri, state, code, issuer, secrets});
  const account = await accountOf(deps, provider, identity);
  const facts = {provider: keyOf(provider), account, address};
  if ((await deps.standings.of(account))?.isActive !== true) {
    deps.audit.warning('sign-on failed: the account is not active', facts);
    throw accountDeactivated();
  }
  const session = await openSession(deps, account);
  deps.audit.info('login', facts);
  return {is: 'in', session, finalUrl};
}

/** The account of an identity, with the groups that the provider names; made at its first sign-on. */
async function accountOf(
  deps: SignOnServices,
  provider: IdentityProvider,
  identity: ExternalIdentity,
): Promise<NodeId> {
  const password = await deps.passwords.hash(randomBytes(32).toString('base64url'));
  const service = {account: null, access: FULL_ACCESS};
  const options = {branch: deps.store.defaultBranch, message: `Sign on through ${keyOf(provider)}`};
  const {value} = await writing(deps, service, options, async scope => {
    const known = await knownAccount(scope.draft, provider, identity);
    const account = known ?? (await makeAccount(scope, provider, identity, password));
    await joinGroups(scope, account, identity.groups, known === undefined ? deps.defaultGroup : undefined);
    return account;
  });
  return value;
}

async function knownAccount(
  head: Snapshot,
  {protocol, name}: IdentityProvider,
  {subject}: ExternalIdentity,
): Promise<NodeId | undefined> {
  const {found} = await head.query({
    kind: 'InternalExternalIdentity',
    where: {is: 'all', of: [is('sub', subject), is('provider_name', name), is('protocol', protocol)]},
    page: {limit: 1, offset: 0},
  });
  const identity = found[0]?.node.id;
  return identity === undefined ? undefined : (await head.neighbours(identity, 'account'))[0]?.id;
}

const is = (attribute: string, value: string): Condition => ({
  is: 'attribute',
  attribute,
  property: 'value',
  test: {op: 'in', values: [value]},
});

async function makeAccount(
  scope: WriteScope,
  provider: IdentityProvider,
  identity: ExternalIdentity,
  password: string,
): Promise<NodeId> {
  const name = await freeName(scope.draft, [...identity.names, `${provider.name}:${identity.subject}`]);
  const [label = name] = identity.names;
  const attributes = {name: {value: name}, label: {value: label}, password: {value: password}};
  const {id} = await createNode(scope, 'CoreAccount', {attributes, relationships: {}});
  await createNode(scope, 'InternalExternalIdentity', {
    attributes: {
      protocol: {value: provider.protocol},
      provider_name: {value: provider.name},
      sub: {value: identity.subject},
    },
    relationships: {account: {id}},
  });
  return id;
}

/** A name that is somebody's already is never given to another, nor does it make them the same. */
async function freeName(head: Snapshot, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const {found} = await head.query({
      kind: 'CoreGenericAccount',
      where: is('name', name),
      page: {limit: 1, offset: 0},
    });
    if (found.length === 0) return name;
  }
  return `${names.at(-1)} ${randomBytes(4).toString('hex')}`;
}

async function joinGroups(
  {draft}: WriteScope,
  account: NodeId,
  named: readonly string[],
  fallback: string | undefined,
): Promise<void> {
  const wanted = named.length > 0 ? named : fallback === undefined ? [] : [fallback];
  const already = new Set((await draft.neighbours(account, 'member_of_groups')).map(({id}) => id));
  for (const name of wanted) {
    const {found} = await draft.query({
      kind: 'CoreAccountGroup',
      where: is('name', name),
      page: {limit: 1, offset: 0},
    });
    const group = found[0]?.node.id;
    if (group === undefined || already.has(group)) continue;
    await draft.link({node: group, relationship: 'members', peer: account});
    already.add(group);
  }
}
