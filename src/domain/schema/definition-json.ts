import {assert} from '../../base/assert.ts';
import {isJsonObject, type Json} from '../../base/json.ts';
import {ATTRIBUTE_DEFAULTS, GENERIC_DEFAULTS, NODE_DEFAULTS, RELATIONSHIP_DEFAULTS} from './defaults.ts';
import type {AttributeDefinition, KindDefinition, RelationshipDefinition} from './source.ts';

/** A definition is plain JSON already; this is where that promise is kept. */
export function definitionToJson(definition: KindDefinition): Json {
  return definition;
}

/** Properties that are younger than the stored text get their defaults. */
export function definitionFromJson(json: Json): KindDefinition {
  assert(isJsonObject(json), 'a stored definition is an object');
  const {type, attributes, relationships} = json;
  assert(type === 'node' || type === 'generic', 'a stored definition is a node or a generic');
  assert(Array.isArray(attributes) && Array.isArray(relationships), 'a stored definition has fields');
  const defaults = type === 'node' ? {...NODE_DEFAULTS, late: {}} : GENERIC_DEFAULTS;
  return {
    ...defaults,
    ...json,
    attributes: (attributes as AttributeDefinition[]).map(each => ({...ATTRIBUTE_DEFAULTS, ...each})),
    relationships: (relationships as RelationshipDefinition[]).map(each => ({
      ...RELATIONSHIP_DEFAULTS,
      ...each,
    })),
  } as unknown as KindDefinition;
}
