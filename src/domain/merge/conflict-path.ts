import {unreachable} from '../../base/assert.ts';
import type {AttributeProperty, ConflictSubject} from './conflict.ts';

/** What the properties of attributes and edges are called in the paths of a diff. */
export const PROPERTY_TYPES = {
  value: 'HAS_VALUE',
  isProtected: 'IS_PROTECTED',
  isVisible: 'IS_VISIBLE',
  source: 'HAS_SOURCE',
  owner: 'HAS_OWNER',
} as const satisfies Record<AttributeProperty, string>;

export type PropertyType = (typeof PROPERTY_TYPES)[AttributeProperty] | 'IS_RELATED';

/** Where a property stands below an attribute or an edge. */
export const propertyPath = (path: string, type: PropertyType): string =>
  type === 'HAS_VALUE' || type === 'IS_RELATED' ? `${path}/value` : `${path}/property/${type}`;

/** Where the conflict stands, in the form of the paths of a diff. */
export function conflictPath(subject: ConflictSubject): string {
  switch (subject.is) {
    case 'node':
      return `data/${subject.node}`;
    case 'attribute':
      return propertyPath(`data/${subject.node}/${subject.attribute}`, PROPERTY_TYPES[subject.property]);
    case 'peer':
      return `data/${subject.node}/${subject.relationship}/peer`;
    case 'edge':
      return `data/${subject.node}/${subject.relationship}/${subject.peer}`;
    case 'unique':
      return `data/${subject.node}/${subject.fields.join(',')}`;
    case 'schema':
      return `schema/${subject.path.replaceAll('.', '/')}`;
    default:
      return unreachable(subject);
  }
}
