import type {KindSchema, Schema} from '../schema/schema.ts';
import {OTHER, type PlacedEntry} from './default-entries.ts';
import {identifierOf, type Menu, type MenuEntry, type MenuItem} from './menu.ts';

const OWN_ENTRY_WEIGHT = 5000;

/**
 * The menu of a branch: the entries in it, and below or beside them every kind that wants to be there. A kind that
 * names no place becomes an entry of its own, with itself as the first below it; one whose place does not exist goes
 * to the others. An entry whose parent is not there stands at the top.
 */
export function buildMenu(
  placed: readonly PlacedEntry[],
  schema: Schema,
  allows: (permission: string) => boolean,
): Menu {
  const all = new Map(placed.map(each => [identifierOf(each.entry), each]));
  const shownKinds = new Set(placed.flatMap(({entry}) => entry.kind ?? []));
  for (const kind of menuKinds(schema)) {
    if (!shownKinds.has(kind.kind) && !all.has(kind.kind)) addKind(all, kind, schema);
  }
  const isAllowed = (entry: MenuEntry) => entry.permissions?.every(allows) ?? true;
  const below = new Map<string | undefined, PlacedEntry[]>();
  for (const each of all.values()) {
    const parent = each.parent !== undefined && reachesTop(all, each) ? each.parent : undefined;
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [each]);
    else siblings.push(each);
  }
  const itemsBelow = (parent: string | undefined): readonly MenuItem[] =>
    (below.get(parent) ?? [])
      .filter(({entry}) => isAllowed(entry))
      .map(({entry}) => ({...entry, children: itemsBelow(identifierOf(entry))}))
      .sort(byWeight);
  const top = itemsBelow(undefined);
  return {
    object: top.filter(item => item.section === 'object'),
    internal: top.filter(item => item.section === 'internal'),
  };
}

const menuKinds = (schema: Schema): readonly KindSchema[] =>
  [...schema.nodes.values(), ...schema.generics.values()].filter(
    kind => kind.include_in_menu && kind.namespace !== 'Internal' && kind.namespace !== 'Template',
  );

function addKind(all: Map<string, PlacedEntry>, kind: KindSchema, schema: Schema): void {
  const entry: MenuEntry = {
    namespace: kind.namespace,
    name: kind.name,
    label: kind.label,
    section: 'object',
    orderWeight: OWN_ENTRY_WEIGHT,
    path: `/objects/${kind.kind}`,
    kind: kind.kind,
    ...(kind.icon === null ? {} : {icon: kind.icon}),
  };
  const place = kind.menu_placement;
  if (place === null) {
    const own = {...entry, name: `${kind.name}Sub`, orderWeight: 1};
    all.set(kind.kind, {entry, parent: undefined});
    all.set(identifierOf(own), {entry: own, parent: kind.kind});
    return;
  }
  const isThere = all.has(place) || menuKinds(schema).some(other => other.kind === place && other !== kind);
  all.set(kind.kind, {entry, parent: isThere ? place : OTHER});
}

/** False for entries that stand below each other in a circle, or below one that is not there. */
function reachesTop(all: ReadonlyMap<string, PlacedEntry>, from: PlacedEntry): boolean {
  const seen = new Set<PlacedEntry>();
  for (let at: PlacedEntry | undefined = from; at !== undefined; at = all.get(at.parent ?? '')) {
    if (at.parent === undefined) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

const byWeight = (a: MenuItem, b: MenuItem): number =>
  a.orderWeight - b.orderWeight || (a.label < b.label ? -1 : Number(a.label > b.label));
