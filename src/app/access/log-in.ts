import type {NodeRecord} from '../../domain/graph/node.ts';
import {type AccessServices, nowSeconds} from './access-services.ts';
import {accountDeactivated, incorrectPassword} from './refusals.ts';
import {openSession, type SessionPair} from './sessions.ts';

export interface LoginRequest {
  readonly username: string;
  readonly password: string;
  /** Where it comes from, as far as the network tells. */
  readonly address: string;
}

export type LoginOutcome =
  | {readonly is: 'in'; readonly session: SessionPair}
  | {readonly is: 'throttled'; readonly retryAfterSeconds: number};

/** Opens a session for a name and its password. A wrong name and a wrong password look and last the same. */
export async function logIn(deps: AccessServices, request: LoginRequest): Promise<LoginOutcome> {
  const {username, password, address} = request;
  const wait = deps.throttle.waitSeconds(username, address, nowSeconds(deps.clock));
  if (wait > 0) {
    deps.audit.warning('login refused: too many failures', {username, address, retryAfterSeconds: wait});
    return {is: 'throttled', retryAfterSeconds: wait};
  }
  const account = await accountNamed(deps, username);
  const stored = account?.value('password');
  const isRight = await deps.passwords.verify(password, typeof stored === 'string' ? stored : '');
  if (account === undefined || !isRight) {
    deps.throttle.failed(username, address, nowSeconds(deps.clock));
    deps.audit.warning('login failed', {username, address});
    throw incorrectPassword();
  }
  deps.throttle.succeeded(username, address);
  const standing = await deps.standings.of(account.id);
  if (standing?.isActive !== true) {
    deps.audit.warning('login failed: the account is not active', {username, address});
    throw accountDeactivated();
  }
  const session = await openSession(deps, account.id);
  deps.audit.info('login', {username, account: account.id, address});
  return {is: 'in', session};
}

async function accountNamed(
  {store}: Pick<AccessServices, 'store'>,
  name: string,
): Promise<NodeRecord | undefined> {
  const head = await store.snapshot({branch: store.defaultBranch});
  const {found} = await head.query({
    kind: 'CoreGenericAccount',
    where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: [name]}},
    page: {limit: 1, offset: 0},
  });
  return found[0]?.node;
}
