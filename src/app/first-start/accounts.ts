import type {Json} from '../../base/json.ts';
import {FULL_ACCESS, GLOBAL_ACTIONS, type GlobalAction} from '../../domain/access/access.ts';
import {
  DECISION,
  type GlobalGrant,
  globalIdentifier,
  type ObjectGrant,
  objectIdentifier,
} from '../../domain/access/grants.ts';
import type {AttributeWrites} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {Passwords} from '../../ports/passwords.ts';
import {ANONYMOUS_ROLE} from '../access/identify.ts';
import {createNode} from '../node/create-node.ts';
import type {RelatedInput} from '../node/node-input.ts';
import type {Services} from '../services.ts';
import {type WriteScope, writing} from '../write.ts';

type Deps = Pick<Services, 'store' | 'schemas' | 'ids'> & {
  readonly passwords: Passwords;
  readonly keyHash: (secret: string) => string;
};

export interface FirstAccounts {
  readonly adminPassword: string;
  /** The API key of `admin`; none unless given. */
  readonly adminToken: string | undefined;
}

/** What the first start gives everybody to begin with, in the words of the wire. */
const ROLES: readonly {
  readonly name: string;
  readonly global: readonly GlobalAction[];
  readonly object: readonly ObjectGrant[];
  readonly group?: string;
}[] = [
  {name: 'Super Administrator', global: ['super_admin'], object: [], group: 'Super Administrators'},
  {
    name: 'General Access',
    global: ['manage_repositories', 'manage_schema', 'merge_proposed_change'],
    object: [everywhere('view', 'allow_all'), everywhere('any', 'allow_other')],
    group: 'Trellis Users',
  },
  {
    name: ANONYMOUS_ROLE,
    global: [],
    object: [everywhere('any', 'deny'), everywhere('view', 'allow_all')],
  },
];

const ADMIN_GROUP = 'Super Administrators';

function everywhere(action: 'any' | 'view', decision: keyof typeof DECISION): ObjectGrant {
  return {namespace: '*', name: '*', action, decision: DECISION[decision], attribute: ''};
}

/**
 * Makes the first account and the roles to begin with, all of it in one commit. A database that has any account or
 * role is left alone: what its users removed stays removed. False when there was nothing to do.
 */
export async function prepareAccounts(deps: Deps, first: FirstAccounts): Promise<boolean> {
  const {store} = deps;
  if (!(await lacksAccounts(await store.snapshot({branch: store.defaultBranch})))) return false;
  const password = await deps.passwords.hash(first.adminPassword);
  const token = first.adminToken === undefined ? undefined : deps.keyHash(first.adminToken);
  const service = {account: null, access: FULL_ACCESS};
  const options = {branch: store.defaultBranch, message: 'First accounts and roles'};
  const written = await writing(deps, service, options, async scope => {
    if (await lacksAccounts(scope.draft)) await makeAccounts(scope, password, token);
  });
  return written.commit !== undefined;
}

export async function lacksAccounts(snapshot: Snapshot): Promise<boolean> {
  for (const kind of ['CoreGenericAccount', 'CoreAccountRole']) {
    const {found} = await snapshot.query({kind, page: {limit: 1, offset: 0}});
    if (found.length > 0) return false;
  }
  return true;
}

async function makeAccounts(scope: WriteScope, password: string, token: string | undefined): Promise<void> {
  const admin = await make(scope, 'CoreAccount', {name: 'admin', label: 'Admin', password});
  if (token !== undefined) {
    const values = {name: 'Created automatically', token};
    await make(scope, 'InternalAccountToken', values, {account: {id: admin}});
  }
  const global = new Map<GlobalAction, NodeId>();
  for (const action of GLOBAL_ACTIONS) {
    global.set(action, await makeGlobal(scope, {action, decision: DECISION.allow_all}));
  }
  const object = new Map<string, NodeId>();
  for (const role of ROLES) {
    const permissions: RelatedInput[] = role.global.map(action => ({id: global.get(action)!}));
    for (const grant of role.object) {
      const name = objectIdentifier(grant);
      const id = object.get(name) ?? (await makeObject(scope, grant));
      object.set(name, id);
      permissions.push({id});
    }
    const id = await make(scope, 'CoreAccountRole', {name: role.name}, {permissions});
    if (role.group === undefined) continue;
    const members = role.group === ADMIN_GROUP ? [{id: admin}] : [];
    await make(scope, 'CoreAccountGroup', {name: role.group, label: role.group}, {roles: [{id}], members});
  }
}

const makeGlobal = (scope: WriteScope, grant: GlobalGrant): Promise<NodeId> =>
  makePermission(scope, 'CoreGlobalPermission', {...grant}, globalIdentifier(grant));

const makeObject = (scope: WriteScope, grant: ObjectGrant): Promise<NodeId> =>
  makePermission(scope, 'CoreObjectPermission', {...grant}, objectIdentifier(grant));

async function makePermission(
  scope: WriteScope,
  kind: string,
  values: Readonly<Record<string, Json>>,
  identifier: string,
): Promise<NodeId> {
  const id = await make(scope, kind, values);
  const writes: AttributeWrites = {identifier: {value: identifier, isDefault: false}};
  await scope.draft.update(id, writes);
  return id;
}

async function make(
  scope: WriteScope,
  kind: string,
  values: Readonly<Record<string, Json>>,
  relationships: Readonly<Record<string, RelatedInput | readonly RelatedInput[]>> = {},
): Promise<NodeId> {
  const attributes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, {value}]));
  return (await createNode(scope, kind, {attributes, relationships})).id;
}
