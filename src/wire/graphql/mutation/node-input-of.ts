import type {AttributeInput, NodeInput, RelatedInput} from '../../../app/node/node-input.ts';
import {isJsonObject, type Json} from '../../../base/json.ts';
import {validationError} from '../../../domain/errors.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {KindSchema, Schema} from '../../../domain/schema/schema.ts';

export type Given = Readonly<Record<string, unknown>>;

/** What `data` says, sorted into attributes and relationships. */
export function nodeInputOf(schema: Schema, kind: KindSchema, data: Given): NodeInput {
  const attributes: Record<string, AttributeInput> = {};
  const relationships: Record<string, RelatedInput | readonly RelatedInput[] | null> = {};
  const {id, hfid, ...fields} = data;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const field = kind.fields.get(name);
    if (field === undefined)
      throw validationError(`${kind.kind} has no field ${name}`, {kind: kind.kind, field: name});
    if (field.is === 'relationship') relationships[name] = relatedOf(schema, field.peer, name, value);
    else if (value !== null) attributes[name] = attributeInputOf(name, value);
  }
  return {
    ...(typeof id === 'string' ? {id} : {}),
    ...(Array.isArray(hfid) ? {hfid: hfid.map(String)} : {}),
    attributes,
    relationships,
  };
}

const ATTRIBUTE_PARTS: ReadonlySet<string> = new Set([
  'value',
  'is_default',
  'is_protected',
  'is_visible',
  'source',
  'owner',
]);

/** A nested object arrives as plain JSON, so its attributes may also be given as bare values. */
function attributeInputOf(name: string, value: unknown): AttributeInput {
  if (!isJsonObject(value)) return {value: value as Json};
  const unknown = Object.keys(value).find(key => !ATTRIBUTE_PARTS.has(key));
  if (unknown !== undefined) throw validationError(`${name} takes no ${unknown}`, {field: name});
  return {
    ...(value.value === undefined ? {} : {value: value.value}),
    ...flag('isDefault', value.is_default),
    ...flag('isProtected', value.is_protected),
    ...flag('isVisible', value.is_visible),
    ...reference('source', value.source),
    ...reference('owner', value.owner),
  };
}

function relatedOf(
  schema: Schema,
  peer: string,
  name: string,
  value: unknown,
): RelatedInput | readonly RelatedInput[] | null {
  if (value === null) return null;
  if (Array.isArray(value)) {
    return (value as readonly unknown[])
      .filter(item => item !== null)
      .map(item => relatedInputOf(schema, peer, name, item));
  }
  return relatedInputOf(schema, peer, name, value);
}

export function relatedInputOf(schema: Schema, peer: string, name: string, value: unknown): RelatedInput {
  if (!isJsonObject(value))
    throw validationError(`${name} takes objects with an id, hfid or data`, {field: name});
  const {id, hfid, kind, data} = value;
  return {
    ...(typeof id === 'string' ? {id} : {}),
    ...(Array.isArray(hfid) ? {hfid: (hfid as readonly Json[]).map(String)} : {}),
    ...(typeof kind === 'string' ? {kind} : {}),
    ...(isJsonObject(data)
      ? {data: nestedInputOf(schema, typeof kind === 'string' ? kind : peer, data)}
      : {}),
    ...flag('isProtected', value._relation__is_protected),
    ...flag('isVisible', value._relation__is_visible),
    ...reference('source', value._relation__source),
    ...reference('owner', value._relation__owner),
  };
}

function nestedInputOf(schema: Schema, kindName: string, data: Given): NodeInput {
  const kind = kindOf(schema, kindName);
  if (kind === undefined) throw validationError(`There is no kind ${kindName}`, {kind: kindName});
  return nodeInputOf(schema, kind, data);
}

const flag = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'boolean' ? {[name]: value} : {}) as {[Key in Name]?: boolean};

const reference = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' || value === null ? {[name]: value} : {}) as {[Key in Name]?: string | null};
