import type {AttributeEntry, RelationshipEntry} from '../document.ts';
import {fieldKey, newFieldId} from '../ids.ts';
import {fieldsOf, genericsOf, inheritedField, isAttribute} from '../lookup-definitions.ts';
import {
  type AttributeDefinition,
  type FieldDefinition,
  type KindDefinition,
  kindName,
  type RelationshipDefinition,
} from '../source.ts';
import {declareAttribute, declareRelationship} from './declare-field.ts';
import type {SourceEdit} from './edit.ts';
import {renameField} from './rename-field.ts';

type FieldEntry =
  | {readonly is: 'attribute'; readonly entry: AttributeEntry}
  | {readonly is: 'relationship'; readonly entry: RelationshipEntry};

/** Lays the fields of an entry onto the kind, one after the other. */
export function applyFields(
  edit: SourceEdit,
  kind: string,
  attributes: readonly AttributeEntry[],
  relationships: readonly RelationshipEntry[],
): void {
  if (attributes.length + relationships.length === 0) return;
  const entries: readonly FieldEntry[] = [
    ...attributes.map(entry => ({is: 'attribute', entry}) as const),
    ...relationships.map(entry => ({is: 'relationship', entry}) as const),
  ];
  for (const each of entries.filter(({entry}) => entry.id !== undefined)) applyRename(edit, kind, each);
  const fields = new FieldList(definitionOf(edit, kind));
  for (const each of entries) applyField(edit, fields, each);
  const next = fields.definition();
  if (next !== edit.kinds.get(kind)) edit.put(next);
}

function definitionOf(edit: SourceEdit, kind: string): KindDefinition {
  return edit.kinds.get(kind) as KindDefinition;
}

/** An entry that carries the id of a field and another name renames it; its other properties follow later. */
function applyRename(edit: SourceEdit, kind: string, {entry}: FieldEntry): void {
  const definition = definitionOf(edit, kind);
  const path = `${kind}.${entry.name}`;
  const own = fieldsOf(definition).find(field => field.id === entry.id);
  const named = fieldsOf(definition).find(field => field.name === entry.name);
  if (own?.name === entry.name || entry.state === 'absent') return;
  if (own === undefined) {
    if (named === undefined) refuseUnknownId(edit, definition, entry, path);
    return;
  }
  const home = definition.type === 'node' ? inheritedField(edit.kinds, definition, own.name) : undefined;
  if (home?.field.id === own.id) {
    const generic = kindName(home.generic);
    edit.refuse(`${path}.id`, `${own.name} overrides a field of ${generic}; rename it on ${generic} instead`);
  } else if (named !== undefined) {
    edit.refuse(
      `${path}.name`,
      `${own.name} cannot be renamed to ${entry.name}: that name is taken on ${kind}`,
    );
  } else {
    renameField(edit, definition, own, entry.name);
  }
}

function refuseUnknownId(
  edit: SourceEdit,
  definition: KindDefinition,
  entry: {readonly id?: string; readonly name: string},
  path: string,
): void {
  const generics = definition.type === 'node' ? genericsOf(edit.kinds, definition) : [];
  for (const generic of generics) {
    const field = fieldsOf(generic).find(each => each.id === entry.id);
    if (field === undefined) continue;
    if (field.name === entry.name) return;
    const home = kindName(generic);
    edit.refuse(`${path}.id`, `${field.name} is inherited from ${home}; rename it on ${home} instead`);
    return;
  }
  const kind = kindName(definition);
  edit.refuse(`${path}.id`, `No field of ${kind} has the id ${entry.id}; leave out id to add a new field`);
}

/** The fields of one kind while entries are laid onto them. */
class FieldList {
  readonly kind: KindDefinition;
  readonly #fields: Map<string, FieldDefinition>;
  #weightMax: number;
  #changed = false;

  constructor(kind: KindDefinition) {
    this.kind = kind;
    this.#fields = new Map(fieldsOf(kind).map(field => [field.name, field]));
    this.#weightMax = Math.max(0, ...fieldsOf(kind).map(field => field.order_weight));
  }

  get(name: string): FieldDefinition | undefined {
    return this.#fields.get(name);
  }

  put(field: FieldDefinition): void {
    if (this.#fields.get(field.name) === field) return;
    this.#fields.set(field.name, field);
    this.#weightMax = Math.max(this.#weightMax, field.order_weight);
    this.#changed = true;
  }

  delete(name: string): void {
    this.#changed = this.#fields.delete(name) || this.#changed;
  }

  /** Behind every field so far. A weight is given once: removing a field moves no other. */
  nextWeight(): number {
    return (Math.floor(this.#weightMax / 1000) + 1) * 1000;
  }

  definition(): KindDefinition {
    if (!this.#changed) return this.kind;
    const fields = [...this.#fields.values()];
    return {
      ...this.kind,
      attributes: fields.filter(isAttribute),
      relationships: fields.filter(field => !isAttribute(field)),
    };
  }
}

function applyField(edit: SourceEdit, fields: FieldList, {is, entry}: FieldEntry): void {
  const kind = kindName(fields.kind);
  const path = `${kind}.${entry.name}`;
  const stored = fields.get(entry.name);
  if (entry.state === 'absent') {
    if (stored === undefined) refuseInherited(edit, fields.kind, entry.name);
    else {
      fields.delete(entry.name);
      edit.retire(fieldKey(fields.kind.id, entry.name));
    }
    return;
  }
  if (stored !== undefined && isAttribute(stored) !== (is === 'attribute')) {
    const what = isAttribute(stored) ? 'an attribute' : 'a relationship';
    edit.refuse(path, `${entry.name} is already ${what} of ${kind}; choose another name, or remove it first`);
    return;
  }
  const birth = {
    id: stored?.id ?? idAtBirth(edit, fields.kind, entry.name),
    order_weight: entry.order_weight ?? stored?.order_weight ?? fields.nextWeight(),
  };
  fields.put(
    is === 'attribute'
      ? declareAttribute(stored as AttributeDefinition | undefined, birth, entry)
      : declareRelationship(stored as RelationshipDefinition | undefined, birth, entry, kind),
  );
}

/** A field that overrides a generic's is the same field: it takes over the id, and with it the data. */
function idAtBirth(edit: SourceEdit, kind: KindDefinition, name: string): string {
  const inherited = kind.type === 'node' ? inheritedField(edit.kinds, kind, name) : undefined;
  return inherited?.field.id ?? newFieldId(edit.retired, kind.id, name);
}

function refuseInherited(edit: SourceEdit, kind: KindDefinition, name: string): void {
  const inherited = kind.type === 'node' ? inheritedField(edit.kinds, kind, name) : undefined;
  if (inherited === undefined) return;
  const home = kindName(inherited.generic);
  edit.refuse(
    `${kindName(kind)}.${name}.state`,
    `${name} is inherited from ${home}; remove it there instead`,
  );
}
