import {md5Hex} from '../../base/hash.ts';
import {canonicalJson, type Json} from '../../base/json.ts';
import {ATTRIBUTE_PROPERTIES, propertiesOfKind, RELATIONSHIP_PROPERTIES} from './properties.ts';
import type {FieldSchema, KindSchema} from './schema.ts';

/** Covers every visible property, its fields in name order; ids and the order of keys play no part. */
export function hashKind(kind: Omit<KindSchema, 'hash'>): string {
  const parts = [textOf(kind, propertiesOfKind(kind.type))];
  for (const attribute of byName(kind.attributes)) parts.push(textOfField(attribute, ATTRIBUTE_PROPERTIES));
  for (const relationship of byName(kind.relationships)) {
    parts.push(textOfField(relationship, RELATIONSHIP_PROPERTIES));
  }
  return md5Hex(parts.join('\n'));
}

/** Over the nodes and generics: profiles and templates follow from them. */
export function hashSchema(kinds: Iterable<{readonly kind: string; readonly hash: string}>): string {
  const lines = [...kinds].map(({kind, hash}) => `${kind} ${hash}`);
  return md5Hex(lines.sort().join('\n'));
}

const inheritedTexts = new WeakMap<FieldSchema, string>();

/** Heirs share the very fields they inherit, so that each is written once. */
function textOfField(field: FieldSchema, properties: readonly string[]): string {
  if (!field.inherited) return textOf(field, properties);
  const text = inheritedTexts.get(field) ?? textOf(field, properties);
  inheritedTexts.set(field, text);
  return text;
}

/** Properties come in a fixed order, so that only values need be written; texts carry their length. */
function textOf(element: object, properties: readonly string[]): string {
  const values = element as Readonly<Record<string, Json | undefined>>;
  let text = '';
  for (const property of properties) {
    const value = values[property] ?? null;
    if (typeof value === 'string') text += `${value.length}:${value};`;
    else if (value !== null && typeof value === 'object') text += `${canonicalJson(value)};`;
    else text += `${value};`;
  }
  return text;
}

function byName<T extends {readonly name: string}>(fields: readonly T[]): readonly T[] {
  return [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
}
