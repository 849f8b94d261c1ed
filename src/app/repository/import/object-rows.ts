import {isJsonObject, type Json, type JsonObject} from '../../../base/json.ts';
import {kindNotFound, validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {factsOf} from '../../../domain/node/schema-facts.ts';
import {rowsOf} from '../../../domain/repository/object-file.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {RelationshipSchema} from '../../../domain/schema/schema.ts';
import type {AttributeInput, RelatedInput} from '../../node/node-input.ts';
import {upsertNode} from '../../node/upsert-node.ts';
import type {WriteScope} from '../../write.ts';

interface Children {
  readonly relationship: RelationshipSchema;
  readonly kind: string;
  readonly rows: readonly JsonObject[];
}

/**
 * Makes or changes the object of a row, and those of the rows below it, which lead back to it. Attributes are plain
 * values; peers are texts or lists of texts that identify them, with their kind where the relationship leaves it open.
 */
export async function putRow(
  scope: WriteScope,
  kindName: string,
  row: JsonObject,
  source: NodeId,
  parent: Readonly<Record<string, RelatedInput>> = {},
): Promise<readonly NodeId[]> {
  const kind = kindOf(scope.schema, kindName);
  if (kind === undefined) throw kindNotFound(kindName);
  const attributes: Record<string, AttributeInput> = {};
  const relationships: Record<string, RelatedInput | readonly RelatedInput[] | null> = {...parent};
  const below: Children[] = [];
  for (const [name, value] of Object.entries(row)) {
    const field = kind.fields.get(name);
    if (field === undefined) throw validationError(`${kindName} has no field ${name}`, {field: name});
    if (field.is === 'attribute') attributes[name] = {value, source};
    else if (isJsonObject(value) && 'data' in value) below.push(childrenOf(field, value));
    else relationships[name] = peersOf(field, value);
  }
  const {node} = await upsertNode(scope, kindName, {attributes, relationships});
  const ids: NodeId[] = [node.id];
  for (const {relationship, kind: childKind, rows} of below) {
    if (kindOf(scope.schema, childKind) === undefined) throw kindNotFound(childKind);
    const inverse = factsOf(scope.schema).inverse(relationship, childKind);
    if (inverse === undefined) {
      throw validationError(
        `${childKind} does not lead back to ${kindName}, so ${relationship.name} takes no data`,
      );
    }
    const back = {id: node.id};
    for (const child of rows) {
      const lead = {[inverse.name]: back};
      ids.push(...(await putRow(scope, childKind, child, source, lead)));
    }
  }
  return ids;
}

function childrenOf(relationship: RelationshipSchema, value: JsonObject): Children {
  const data: Json = value.data ?? null;
  return {
    relationship,
    kind: typeof value.kind === 'string' ? value.kind : relationship.peer,
    rows: rowsOf(isJsonObject(data) ? [data] : data, relationship.name),
  };
}

function peersOf(
  {name, cardinality}: RelationshipSchema,
  value: Json,
): RelatedInput | readonly RelatedInput[] | null {
  if (value === null) return null;
  if (cardinality === 'one') return peerOf(name, value);
  if (!Array.isArray(value)) throw validationError(`${name} takes a list`, {field: name});
  return (value as readonly Json[]).map(each => peerOf(name, each));
}

function peerOf(name: string, value: Json): RelatedInput {
  if (Array.isArray(value)) return {hfid: (value as readonly Json[]).map(String)};
  if (typeof value === 'string' || typeof value === 'number') return {id: String(value)};
  if (isJsonObject(value) && Array.isArray(value.hfid) && typeof value.kind === 'string') {
    return {kind: value.kind, hfid: (value.hfid as readonly Json[]).map(String)};
  }
  throw validationError(
    `${name} takes what identifies an object: a text, a list of texts, or a kind with an hfid`,
    {field: name},
  );
}
