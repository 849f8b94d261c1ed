import type {SchemaDocument} from '../document.ts';
import type {SchemaProblem} from '../problem.ts';
import type {AttributeSchema, KindSchema, RelationshipSchema, Schema} from '../schema.ts';
import type {SchemaSource} from '../source.ts';
import {DECLARABLE_RELATIONSHIP_KINDS} from '../vocabulary.ts';

/** What a document may not ask for, whatever the schema it is laid onto. */
export type DocumentRule = (document: SchemaDocument, source: SchemaSource) => Iterable<SchemaProblem>;

/** What must hold in a schema as a whole. A rule copes with what other rules refuse. */
export type SchemaRule = (schema: Schema, source: SchemaSource) => Iterable<SchemaProblem>;

/** The attributes that the kind declares itself: an inherited one is judged where it comes from. */
export const ownAttributes = (kind: KindSchema): readonly AttributeSchema[] =>
  kind.attributes.filter(attribute => !attribute.inherited);

export const ownRelationships = (kind: KindSchema): readonly RelationshipSchema[] =>
  kind.relationships.filter(each => !each.inherited && isDeclared(each));

export const isDeclared = (relationship: RelationshipSchema): boolean =>
  DECLARABLE_RELATIONSHIP_KINDS.includes(relationship.kind);
