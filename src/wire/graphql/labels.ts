import type {Json} from '../../base/json.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {displayLabel, hfidOf, hfidPaths, labelPaths, type PathValues} from '../../domain/node/label.ts';
import {attributeOf, kindOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';

/** The label or human-friendly id of an object, given its single peers. */
export function labelOf(
  schema: Schema,
  label: 'display_label' | 'hfid',
  node: NodeRecord,
  peerOf: (relationship: string) => NodeRecord | undefined,
): Json {
  const kind = kindOf(schema, node.kind);
  if (kind === undefined) return null;
  const values: PathValues = path => {
    if (path === 'id') return node.id;
    const [first = '', ...rest] = path.split('__');
    if (kind.fields.get(first)?.is === 'attribute') return valueAt(schema, node, first, rest[0]);
    const peer = peerOf(first);
    return peer === undefined ? null : valueAt(schema, peer, rest[0] ?? '', rest[1]);
  };
  return label === 'hfid' ? hfidOf(kind, values) : displayLabel(kind, values);
}

/** Whether the label of the kind's objects is made of nothing but their own attributes. */
export function isOwnLabel(schema: Schema, kindName: string, label: 'display_label' | 'hfid'): boolean {
  const kind = kindOf(schema, kindName);
  if (kind === undefined) return false;
  const paths = label === 'hfid' ? hfidPaths(kind) : labelPaths(kind);
  return paths.every(path => kind.fields.get(path.split('__')[0] ?? '')?.is === 'attribute');
}

function valueAt(schema: Schema, node: NodeRecord, name: string, property = 'value'): Json {
  const kind = kindOf(schema, node.kind);
  const attribute = kind === undefined ? undefined : attributeOf(kind, name);
  return attribute === undefined ? null : pathValue(attribute.kind, property, node.value(name));
}
