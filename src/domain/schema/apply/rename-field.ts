import {fieldKey} from '../ids.ts';
import type {FieldDefinition, KindDefinition} from '../source.ts';
import {kindName} from '../source.ts';
import type {SourceEdit} from './edit.ts';
import {renameInKind} from './rename-paths.ts';

/** Renames a field on its kind, on the nodes that override it, and in every path that names it. */
export function renameField(
  edit: SourceEdit,
  definition: KindDefinition,
  field: FieldDefinition,
  to: string,
): void {
  const home = kindName(definition);
  const holders = new Set([home]);
  for (const [name, kind] of edit.kinds) {
    if (definition.type === 'generic' && kind.type === 'node' && kind.inherit_from.includes(home)) {
      holders.add(name);
    }
  }
  for (const [name, kind] of edit.kinds) {
    const own = holders.has(name)
      ? renameInKind(renameOwn(edit, kind, field.id, to), {from: field.name, to})
      : kind;
    const through = new Set(own.relationships.filter(each => holders.has(each.peer)).map(each => each.name));
    const next = through.size === 0 ? own : renameInKind(own, {from: field.name, to, through});
    if (next !== kind) edit.kinds.set(name, next);
  }
}

function renameOwn(edit: SourceEdit, kind: KindDefinition, id: string, to: string): KindDefinition {
  const rename = <T extends FieldDefinition>(field: T): T => {
    if (field.id !== id) return field;
    edit.retire(fieldKey(kind.id, field.name));
    return {...field, name: to};
  };
  const holds = (fields: readonly FieldDefinition[]) => fields.some(field => field.id === id);
  if (!holds(kind.attributes) && !holds(kind.relationships)) return kind;
  return {
    ...kind,
    attributes: kind.attributes.map(rename),
    relationships: kind.relationships.map(rename),
  };
}
