import {GLOBAL_ACTIONS, type GlobalAction} from '../../domain/access/access.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {buildMenu} from '../../domain/menu/build-menu.ts';
import {DEFAULT_ENTRIES, type PlacedEntry} from '../../domain/menu/default-entries.ts';
import {identifierOf, type Menu, type MenuEntry} from '../../domain/menu/menu.ts';
import type {ReadPoint} from '../../ports/graph-store.ts';
import type {Caller} from '../caller.ts';
import type {Services} from '../services.ts';

const ENTRIES_MAX = 1000;
const GLOBAL_PERMISSION = /^global:(\w+):/;

/** The menu of a branch as its caller may see it. */
export async function menuOf(
  {store, schemas}: Pick<Services, 'store' | 'schemas'>,
  caller: Caller,
  point: ReadPoint,
): Promise<Menu> {
  const snapshot = await store.snapshot(point);
  const {found} = await snapshot.query({
    kind: 'CoreMenuItem',
    page: {limit: ENTRIES_MAX, offset: 0},
    include: [{relationship: 'parent'}],
  });
  const own = found.map(({node, included: [above]}): PlacedEntry => {
    const parent = above?.found[0]?.node;
    return {entry: entryOf(node), parent: parent === undefined ? undefined : identifierOf(entryOf(parent))};
  });
  const taken = new Set(own.map(({entry}) => identifierOf(entry)));
  const defaults = DEFAULT_ENTRIES.filter(({entry}) => !taken.has(identifierOf(entry)));
  return buildMenu([...defaults, ...own], schemas.of(snapshot), permission => holds(caller, permission));
}

function entryOf(node: NodeRecord): MenuEntry {
  const text = (name: string) => {
    const value = node.value(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const kind = text('kind');
  const path = text('path') ?? (kind === undefined ? undefined : `/objects/${kind}`);
  const permissions = node.value('required_permissions');
  const optional = {description: text('description'), icon: text('icon'), path, kind};
  const name = text('name') ?? '';
  return {
    namespace: text('namespace') ?? '',
    name,
    label: text('label') ?? name,
    section: node.value('section') === 'internal' ? 'internal' : 'object',
    orderWeight: Number(node.value('order_weight') ?? 0),
    isProtected: node.value('protected') === true,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<MenuEntry>),
    ...(Array.isArray(permissions) ? {permissions: permissions.map(String)} : {}),
  };
}

/** A text that names no global permission asks for nothing that we know of, and hides nothing. */
function holds(caller: Caller, permission: string): boolean {
  const action = GLOBAL_PERMISSION.exec(permission)?.[1] as GlobalAction | undefined;
  return (
    action === undefined || !GLOBAL_ACTIONS.includes(action) || caller.access.allows({is: 'global', action})
  );
}
