import {pathProperties} from '../attribute/kinds.ts';
import {attributeOf, kindOf, relationshipOf} from './lookup.ts';
import type {AttributeSchema, KindSchema, RelationshipSchema, Schema} from './schema.ts';

/** What a path such as `name__value`, `site` or `site__name__value` leads to. */
export type ResolvedPath =
  | {readonly is: 'attribute'; readonly attribute: AttributeSchema; readonly property: string}
  | {readonly is: 'relationship'; readonly relationship: RelationshipSchema}
  | {
      readonly is: 'peer-attribute';
      readonly relationship: RelationshipSchema;
      readonly peer: KindSchema;
      readonly attribute: AttributeSchema;
      readonly property: string;
    }
  | {readonly is: 'unresolved'; readonly message: string};

/** Reads a path from a kind. An attribute without a property means its value. */
export function resolvePath(schema: Schema, kind: KindSchema, path: string): ResolvedPath {
  const [first = '', ...rest] = path.split('__');
  const attribute = attributeOf(kind, first);
  if (attribute !== undefined) return withProperty(attribute, rest, path);
  const relationship = relationshipOf(kind, first);
  if (relationship === undefined) {
    return unresolved(`"${path}" begins with ${first}, which ${kind.kind} does not have; correct the name`);
  }
  if (rest.length === 0) return {is: 'relationship', relationship};
  const peer = kindOf(schema, relationship.peer);
  if (peer === undefined) return unresolved(`"${path}" leads to ${relationship.peer}, which does not exist`);
  const [second = '', ...properties] = rest;
  const far = attributeOf(peer, second);
  if (far === undefined) {
    return unresolved(`"${path}" names ${second}, which is no attribute of ${peer.kind}; correct the name`);
  }
  const end = withProperty(far, properties, path);
  if (end.is !== 'attribute') return end;
  return {is: 'peer-attribute', relationship, peer, attribute: far, property: end.property};
}

function withProperty(attribute: AttributeSchema, rest: readonly string[], path: string): ResolvedPath {
  const [property = 'value', ...more] = rest;
  if (more.length === 0 && pathProperties(attribute.kind).includes(property)) {
    return {is: 'attribute', attribute, property};
  }
  const known = pathProperties(attribute.kind).join(', ');
  return unresolved(`"${path}" ends in a property that ${attribute.name} does not have; it has ${known}`);
}

const unresolved = (message: string): ResolvedPath => ({is: 'unresolved', message});

/** Whether the path says its property, as uniqueness constraints and human-friendly ids must. */
export const hasProperty = (path: string): boolean => path.includes('__');
