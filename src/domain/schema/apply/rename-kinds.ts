import type {GenericEntry, NodeEntry} from '../document.ts';
import {type KindDefinition, kindName} from '../source.ts';
import type {SourceEdit} from './edit.ts';

/** Entries that carry the id of a kind and another name rename it, here and wherever it is named. */
export function renameKinds(edit: SourceEdit, entries: readonly (NodeEntry | GenericEntry)[]): void {
  const withId = entries.filter(entry => entry.id !== undefined && entry.state === 'present');
  if (withId.length === 0) return;
  const byId = new Map([...edit.kinds.values()].map(kind => [kind.id, kind]));
  const renamed = new Map<string, NodeEntry | GenericEntry>();
  for (const entry of withId) {
    const name = kindName(entry);
    const known = byId.get(entry.id ?? '');
    if (known !== undefined && kindName(known) !== name) renamed.set(kindName(known), entry);
    if (known === undefined && !edit.kinds.has(name)) {
      edit.refuse(`${name}.id`, `No kind has the id ${entry.id}; leave out id to add a new kind`);
    }
  }
  for (const [from, entry] of renamed) {
    const to = kindName(entry);
    if (!edit.kinds.has(to) || renamed.has(to)) continue;
    edit.refuse(`${to}.name`, `${from} cannot be renamed to ${to}: there is a kind of that name already`);
    renamed.delete(from);
  }
  if (renamed.size > 0) rename(edit, renamed);
}

function rename(edit: SourceEdit, renamed: ReadonlyMap<string, NodeEntry | GenericEntry>): void {
  const to = (kind: string) => {
    const entry = renamed.get(kind);
    return entry === undefined ? kind : kindName(entry);
  };
  const before = [...edit.kinds];
  edit.kinds.clear();
  for (const [name, kind] of before) {
    const entry = renamed.get(name);
    const next = renameReferences(kind, to);
    edit.put(entry === undefined ? next : {...next, name: entry.name, namespace: entry.namespace});
    if (entry !== undefined) edit.retire(name);
  }
}

function renameReferences(kind: KindDefinition, to: (kind: string) => string): KindDefinition {
  const peersChange = kind.relationships.some(each => to(each.peer) !== each.peer);
  const relationships = peersChange
    ? kind.relationships.map(each => ({...each, peer: to(each.peer)}))
    : kind.relationships;
  if (kind.type === 'generic') return peersChange ? {...kind, relationships} : kind;
  const inherit_from = kind.inherit_from.map(to);
  const orNull = (name: string | null) => (name === null ? null : to(name));
  const places = {
    hierarchy: orNull(kind.hierarchy),
    parent: orNull(kind.parent),
    children: orNull(kind.children),
  };
  const placesChange =
    places.hierarchy !== kind.hierarchy ||
    places.parent !== kind.parent ||
    places.children !== kind.children ||
    inherit_from.some((name, index) => name !== kind.inherit_from[index]);
  return peersChange || placesChange ? {...kind, ...places, inherit_from, relationships} : kind;
}
