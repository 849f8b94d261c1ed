import {GLOBAL_ACTIONS, type GlobalAction, type ObjectAction} from '../../domain/access/access.ts';
import type {Decision, GlobalGrant, ObjectGrant} from '../../domain/access/grants.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';

interface Recorded {
  readonly id: NodeId;
  readonly description: string | null;
}

/** The permissions that somebody has through roles, as they are recorded. */
export interface Permissions {
  readonly global: readonly (GlobalGrant & Recorded)[];
  readonly object: readonly (ObjectGrant & Recorded)[];
}

/** The roles of an account: those of every account group that it is a member of. */
export async function rolesOf(head: Snapshot, account: NodeId): Promise<readonly NodeId[]> {
  const groups = await head.neighbours(account, 'member_of_groups');
  const roles = new Set<NodeId>();
  for (const group of groups) {
    if (group.kind !== 'CoreAccountGroup') continue;
    for (const role of await head.neighbours(group.id, 'roles')) roles.add(role.id);
  }
  return [...roles];
}

export async function permissionsOf(head: Snapshot, roles: readonly NodeId[]): Promise<Permissions> {
  const ids = new Set<NodeId>();
  for (const role of roles) {
    for (const permission of await head.neighbours(role, 'permissions')) ids.add(permission.id);
  }
  const records = (await head.nodes([...ids].sort())).filter(record => record !== undefined);
  return {
    global: records.filter(({kind}) => kind === 'CoreGlobalPermission').flatMap(globalOf),
    object: records.filter(({kind}) => kind === 'CoreObjectPermission').map(objectOf),
  };
}

const common = (record: NodeRecord) => ({
  id: record.id,
  description: record.value('description') as string | null,
  decision: record.value('decision') as Decision,
});

/** An action that this version does not know gives nothing. */
function globalOf(record: NodeRecord): (GlobalGrant & Recorded)[] {
  const action = record.value('action') as GlobalAction;
  return GLOBAL_ACTIONS.includes(action) ? [{...common(record), action}] : [];
}

const objectOf = (record: NodeRecord): ObjectGrant & Recorded => ({
  ...common(record),
  namespace: record.value('namespace') as string,
  name: record.value('name') as string,
  action: record.value('action') as ObjectAction | 'any',
  attribute: (record.value('attribute') as string | null) ?? '',
});
