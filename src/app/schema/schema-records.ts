import type {Json} from '../../base/json.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import {definitionFromJson, definitionToJson} from '../../domain/schema/definition-json.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {shapesOf} from '../../domain/schema/shape-of.ts';
import type {KindDefinition, SchemaSource} from '../../domain/schema/source.ts';
import {kindName} from '../../domain/schema/source.ts';
import type {KindRecord} from '../../ports/graph-store.ts';

/**
 * How a schema is kept in the store: a record for each kind with objects, with its shape and its declared form;
 * and records without objects, under names that no kind can have, for generics and for retired names.
 */
const GENERIC = 'generic:';
const RETIRED = 'schema:retired';

/** By id; without those that are known to be stored as they are. */
export function recordsOf(
  source: SchemaSource,
  schema: Schema,
  kept: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, KindRecord> {
  const records = new Map<string, KindRecord>();
  const add = (shape: KindShape, definition: Json) => records.set(shape.id, {shape, definition});
  for (const shape of shapesOf(schema, kind => !kept.has(kind.id))) {
    const definition = source.kinds.get(shape.name);
    add(shape, definition === undefined ? null : definitionToJson(definition));
  }
  for (const definition of source.kinds.values()) {
    if (definition.type === 'generic' && !kept.has(definition.id))
      add(objectless(definition), definitionToJson(definition));
  }
  add(emptyShape(RETIRED, RETIRED), {...source.retired});
  return records;
}

export function sourceOf(records: readonly KindRecord[]): SchemaSource {
  const kinds = new Map<string, KindDefinition>();
  let retired: SchemaSource['retired'] = {};
  for (const {shape, definition} of records) {
    if (shape.name === RETIRED) retired = definition as Readonly<Record<string, number>>;
    else if (definition !== null) {
      const kind = definitionFromJson(definition);
      kinds.set(kindName(kind), kind);
    }
  }
  return {kinds, retired};
}

const objectless = (definition: KindDefinition): KindShape =>
  emptyShape(definition.id, `${GENERIC}${kindName(definition)}`);

const emptyShape = (id: string, name: string): KindShape => ({
  id,
  name,
  generics: [],
  scope: 'aware',
  attributes: [],
  relationships: [],
  orderBy: [],
  unique: [],
});
