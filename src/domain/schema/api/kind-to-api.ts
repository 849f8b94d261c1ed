import type {Json, JsonObject} from '../../../base/json.ts';
import {kindOf} from '../lookup.ts';
import {ATTRIBUTE_PROPERTIES, propertiesOfKind, RELATIONSHIP_PROPERTIES} from '../properties.ts';
import type {AttributeSchema, KindSchema, RelationshipSchema, Schema} from '../schema.ts';
import {filtersOf} from './filters.ts';

/** A kind as the REST API shows it: everything said, except relationships to internal records. */
export function kindToApi(schema: Schema, kind: KindSchema): JsonObject {
  return {
    id: kind.id,
    state: 'present',
    kind: kind.kind,
    hash: kind.hash,
    ...pick(kind, propertiesOfKind(kind.type)),
    filters: filtersOf(kind),
    attributes: kind.attributes.map(attributeToApi),
    relationships: kind.relationships
      .filter(({peer}) => kindOf(schema, peer)?.namespace !== 'Internal')
      .map(relationshipToApi),
  };
}

function attributeToApi(attribute: AttributeSchema): JsonObject {
  const {regex = null, min_length = null, max_length = null} = attribute.parameters;
  return {
    id: attribute.id,
    state: 'present',
    ...pick(attribute, ATTRIBUTE_PROPERTIES),
    regex: regex === '' ? null : regex,
    min_length,
    max_length,
  };
}

function relationshipToApi(relationship: RelationshipSchema): JsonObject {
  return {id: relationship.id, state: 'present', ...pick(relationship, RELATIONSHIP_PROPERTIES)};
}

function pick(element: object, properties: readonly string[]): JsonObject {
  const values = element as Readonly<Record<string, Json>>;
  return Object.fromEntries(properties.map(property => [property, values[property] ?? null]));
}
