import {isKindOf, kindOf} from '../../../domain/schema/lookup.ts';
import type {KindSchema, RelationshipSchema, Schema} from '../../../domain/schema/schema.ts';

/** A relationship as the API shows it. */
export interface ShownRelationship {
  readonly relationship: RelationshipSchema;
  /** The kind whose objects it yields: what the generic promises, where the kind narrows it down. */
  readonly peer: string;
}

export const isInternal = (kind: Pick<KindSchema, 'namespace'>): boolean => kind.namespace === 'Internal';

/** The generic whose hierarchy the kind stands in. */
export function hierarchyOf(kind: KindSchema): string | null {
  if (kind.type === 'generic') return kind.hierarchical ? kind.kind : null;
  return kind.type === 'node' ? kind.hierarchy : null;
}

/** The generics that the kind's type implements. */
export function interfacesOf(schema: Schema, kind: KindSchema): readonly string[] {
  if (kind.type === 'generic') return [];
  const declared = kind.inherit_from.filter(name => schema.generics.has(name));
  const answersToAll = schema.generics.has('CoreNode') && isKindOf(schema, kind.kind, 'CoreNode');
  return [...new Set([...declared, ...(answersToAll ? ['CoreNode'] : [])])];
}

/** Relationships to internal kinds are not shown, and those of a hierarchy lead to its generic. */
export function shownRelationships(schema: Schema, kind: KindSchema): readonly ShownRelationship[] {
  const generics = interfacesOf(schema, kind).map(name => schema.generics.get(name)!);
  const shown: ShownRelationship[] = [];
  for (const relationship of kind.relationships) {
    const promised = generics
      .map(generic => generic.fields.get(relationship.name))
      .find(field => field?.is === 'relationship');
    const peer =
      relationship.kind === 'Hierarchy'
        ? (relationship.hierarchical ?? relationship.peer)
        : promised?.is === 'relationship'
          ? promised.peer
          : relationship.peer;
    const peerKind = kindOf(schema, peer);
    if (peerKind !== undefined && !isInternal(peerKind)) shown.push({relationship, peer});
  }
  return shown;
}
