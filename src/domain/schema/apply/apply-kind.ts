import {GENERIC_DEFAULTS, NODE_DEFAULTS} from '../defaults.ts';
import type {GenericEntry, NodeEntry} from '../document.ts';
import {newKindId} from '../ids.ts';
import {type GenericDefinition, kindName, type NodeDefinition} from '../source.ts';
import {applyFields} from './apply-fields.ts';
import {declare, unlessSame} from './declare.ts';
import type {SourceEdit} from './edit.ts';

export function applyNode(edit: SourceEdit, entry: NodeEntry): void {
  const name = kindName(entry);
  const stored = edit.kinds.get(name);
  if (entry.state === 'absent') {
    applyRemoval(edit, entry);
    return;
  }
  if (stored?.type === 'generic') {
    edit.refuse(
      name,
      `${name} is a generic; a node needs another name, or the generic must be removed first`,
    );
    return;
  }
  if (stored !== undefined && stored.inherit_from.length > 0 && entry.inherit_from === undefined) {
    const generics = stored.inherit_from.join(', ');
    const advice = `add inherit_from: [${generics}] to keep it, or an explicit list to change it`;
    edit.refuse(
      `${name}.inherit_from`,
      `${name} inherits from ${generics} and the entry leaves that out; ${advice}`,
    );
    return;
  }
  const declared: NodeDefinition = {
    ...declare(NODE_DEFAULTS, stored, entry),
    type: 'node',
    id: stored?.id ?? newKindId(edit.retired, name),
    name: entry.name,
    namespace: entry.namespace,
    attributes: stored?.attributes ?? [],
    relationships: stored?.relationships ?? [],
    late: stored?.late ?? {},
  };
  edit.put(unlessSame(stored, declared));
  applyFields(edit, name, entry.attributes, entry.relationships);
}

export function applyGeneric(edit: SourceEdit, entry: GenericEntry): void {
  const name = kindName(entry);
  const stored = edit.kinds.get(name);
  if (entry.state === 'absent') {
    applyRemoval(edit, entry);
    return;
  }
  if (stored?.type === 'node') {
    edit.refuse(name, `${name} is a node; a generic needs another name, or the node must be removed first`);
    return;
  }
  const declared: GenericDefinition = {
    ...declare(GENERIC_DEFAULTS, stored, entry),
    type: 'generic',
    id: stored?.id ?? newKindId(edit.retired, name),
    name: entry.name,
    namespace: entry.namespace,
    attributes: stored?.attributes ?? [],
    relationships: stored?.relationships ?? [],
  };
  edit.put(unlessSame(stored, declared));
  applyFields(edit, name, entry.attributes, entry.relationships);
}

/** Removing what is not there asks for nothing. */
function applyRemoval(edit: SourceEdit, entry: NodeEntry | GenericEntry): void {
  const byId = entry.id === undefined ? undefined : [...edit.kinds.values()].find(({id}) => id === entry.id);
  edit.remove(kindName(byId ?? entry));
}
