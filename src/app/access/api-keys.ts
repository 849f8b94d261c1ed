import {randomBytes} from 'node:crypto';
import {checkValue} from '../../domain/attribute/check-value.ts';
import {authenticationRequired, nodeNotFound, validationError} from '../../domain/errors.ts';
import type {AttributeWrites} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {parseNodeId} from '../../domain/graph/node-id.ts';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import {parseIsoMicros} from '../../domain/time/instant.ts';
import {authorize, type Caller} from '../caller.ts';
import type {AccessServices} from './access-services.ts';

const KEY = 'InternalAccountToken';

export interface NewKey {
  /** Whose key; the caller's own unless said. */
  readonly account?: string;
  readonly name?: string;
  readonly expiration?: string;
}

export interface ShownKey {
  readonly id: NodeId;
  readonly name: string | null;
  readonly expiration: string | null;
  readonly lastUsedAt: string | null;
}

type Deps = Pick<AccessServices, 'store' | 'standings' | 'ids' | 'keyHash' | 'clock' | 'audit'>;

/** Makes an API key and tells its secret, which nobody can tell again. */
export async function createKey(
  deps: Deps,
  caller: Caller,
  request: NewKey,
): Promise<{readonly id: NodeId; readonly secret: string}> {
  const own = requireAccount(caller);
  const account = request.account === undefined ? own : parseNodeId(request.account);
  if (account !== own) authorize(caller, {is: 'global', action: 'manage_accounts'});
  if ((await deps.standings.of(account)) === undefined) throw nodeNotFound('CoreGenericAccount', account);
  const secret = randomBytes(32).toString('base64url');
  const attributes: AttributeWrites = {
    token: {value: deps.keyHash(secret), isDefault: false},
    ...named(request.name),
    ...expiring(request.expiration, deps.clock.nowMicros()),
  };
  const id = deps.ids.nodeId();
  const author = {account: own, message: 'Create an API key'};
  await deps.store.write(deps.store.defaultBranch, author, async draft => {
    await draft.create({id, kind: KEY, attributes});
    await draft.link({node: id, relationship: 'account', peer: account});
  });
  deps.audit.info('API key created', {key: id, account, by: own});
  return {id, secret};
}

/** Ends an API key at once. */
export async function deleteKey(deps: Deps, caller: Caller, text: string): Promise<void> {
  const own = requireAccount(caller);
  const id = parseNodeId(text);
  const author = {account: own, message: 'Delete an API key'};
  await deps.store.write(deps.store.defaultBranch, author, async draft => {
    const key = await draft.node(id);
    const owner = key?.kind === KEY ? (await draft.neighbours(id, 'account'))[0]?.id : undefined;
    const mayManage = caller.access.allows({is: 'global', action: 'manage_accounts'});
    if (owner === undefined || (owner !== own && !mayManage)) throw nodeNotFound(KEY, id);
    await draft.delete(id);
  });
  deps.audit.info('API key deleted', {key: id, by: own});
}

/** The caller's own keys, without their secrets. */
export async function listKeys(
  {store}: Pick<AccessServices, 'store'>,
  caller: Caller,
  page: {readonly limit: number; readonly offset: number},
): Promise<{readonly count: number; readonly keys: readonly ShownKey[]}> {
  const own = requireAccount(caller);
  const head = await store.snapshot({branch: store.defaultBranch});
  const query: NodeQuery = {
    kind: KEY,
    where: {is: 'related', relationship: 'account', where: {is: 'id', in: [own]}},
    page,
    count: true,
  };
  const {found, count} = await head.query(query);
  return {
    count: count ?? 0,
    keys: found.map(({node}) => ({
      id: node.id,
      name: node.value('name') as string | null,
      expiration: node.value('expiration') as string | null,
      lastUsedAt: node.value('last_used_at') as string | null,
    })),
  };
}

export function requireAccount(caller: Caller): NodeId {
  if (caller.account === null) throw authenticationRequired();
  return caller.account;
}

function named(name: string | undefined): AttributeWrites {
  if (name === undefined) return {};
  const checked = checkValue({name: 'name', kind: 'Text', optional: true}, name);
  if (!checked.ok) throw validationError(checked.problems.join(', '), {loc: ['data', 'name']});
  return {name: {value: checked.value, isDefault: false}};
}

function expiring(expiration: string | undefined, nowMicros: number): AttributeWrites {
  if (expiration === undefined) return {};
  const checked = checkValue({name: 'expiration', kind: 'DateTime', optional: true}, expiration);
  if (!checked.ok) throw validationError(checked.problems.join(', '), {loc: ['data', 'expiration']});
  const {value} = checked;
  if (typeof value === 'string' && (parseIsoMicros(value) ?? 0) <= nowMicros) {
    throw validationError('expiration must lie ahead', {loc: ['data', 'expiration']});
  }
  return {expiration: {value, isDefault: false}};
}
