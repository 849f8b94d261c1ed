import {nodeNotFound} from '../../../domain/errors.ts';
import {partValue} from '../../../domain/node/text-part.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import {resolvePath} from '../../../domain/schema/paths.ts';
import type {AttributeSchema, KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {all} from './filter.ts';

const NOTHING: Condition = {is: 'id', in: []};

/** The object that a human-friendly id names: every part of it, in order. */
export function hfidCondition(schema: Schema, kind: KindSchema, parts: readonly unknown[]): Condition {
  const paths = kind.human_friendly_id ?? [];
  if (parts.length !== paths.length) throw nodeNotFound(kind.kind, parts.join(' '));
  return all(paths.map((path, place) => partCondition(schema, kind, path, String(parts[place] ?? ''))));
}

function partCondition(schema: Schema, kind: KindSchema, path: string, text: string): Condition {
  const resolved = resolvePath(schema, kind, path);
  if (resolved.is === 'attribute') return equals(resolved.attribute, resolved.property, text);
  if (resolved.is !== 'peer-attribute') return NOTHING;
  const where = equals(resolved.attribute, resolved.property, text);
  return {is: 'related', relationship: resolved.relationship.name, where};
}

function equals(attribute: AttributeSchema, property: string, text: string): Condition {
  const value = partValue(attribute, property, text);
  if (value === undefined) return NOTHING;
  return {is: 'attribute', attribute: attribute.name, property, test: {op: 'in', values: [value]}};
}
