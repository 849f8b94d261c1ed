import {kindNotFound, nodeNotFound, validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {isNodeId} from '../../domain/graph/node-id.ts';
import {partValue} from '../../domain/node/text-part.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import {isKindOf, kindOf} from '../../domain/schema/lookup.ts';
import {resolvePath} from '../../domain/schema/paths.ts';
import type {KindSchema, Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {NodeReference} from './node-input.ts';

/**
 * The one object of a kind, or of a kind that implements the generic, that a reference means: by its id, else by
 * its human-friendly id, else by the value of its default filter in place of the id.
 */
export async function findNode(
  snapshot: Snapshot,
  schema: Schema,
  kindName: string,
  reference: NodeReference,
): Promise<NodeRecord | undefined> {
  const kind = kindOf(schema, kindName);
  if (kind === undefined) throw kindNotFound(kindName);
  const {id, hfid} = reference;
  if (id === undefined && hfid === undefined) throw validationError('either id or hfid must be provided');
  if (id !== undefined && isNodeId(id.toLowerCase())) {
    const node = await nodeById(snapshot, id);
    return node !== undefined && isKindOf(schema, node.kind, kindName) ? node : undefined;
  }
  if (hfid !== undefined) {
    const node = await onlyOne(snapshot, kindName, hfidConditions(schema, kind, hfid));
    if (node !== undefined || id === undefined) return node;
  }
  return id === undefined ? undefined : await onlyOne(snapshot, kindName, filterConditions(schema, kind, id));
}

export async function requireNode(
  snapshot: Snapshot,
  schema: Schema,
  kind: string,
  reference: NodeReference,
): Promise<NodeRecord> {
  const node = await findNode(snapshot, schema, kind, reference);
  if (node === undefined) throw nodeNotFound(kind, referenceText(reference));
  return node;
}

export const referenceText = ({id, hfid}: NodeReference): string => id ?? (hfid ?? []).join(' / ');

async function nodeById(snapshot: Snapshot, text: string): Promise<NodeRecord | undefined> {
  const id = text.toLowerCase();
  return isNodeId(id) ? snapshot.node(id) : undefined;
}

/** More than one match is no match. */
async function onlyOne(
  snapshot: Snapshot,
  kind: string,
  conditions: readonly Condition[] | undefined,
): Promise<NodeRecord | undefined> {
  if (conditions === undefined) return undefined;
  const {found} = await snapshot.query({
    kind,
    where: {is: 'all', of: conditions},
    page: {limit: 2, offset: 0},
  });
  return found.length === 1 ? found[0]?.node : undefined;
}

function filterConditions(schema: Schema, kind: KindSchema, text: string): readonly Condition[] | undefined {
  const path = kind.default_filter;
  if (path !== null) return conditionsOf(schema, kind, [path], [text]);
  return kind.human_friendly_id?.length === 1 ? hfidConditions(schema, kind, [text]) : undefined;
}

function hfidConditions(
  schema: Schema,
  kind: KindSchema,
  hfid: readonly string[],
): readonly Condition[] | undefined {
  return conditionsOf(schema, kind, kind.human_friendly_id ?? [], hfid);
}

function conditionsOf(
  schema: Schema,
  kind: KindSchema,
  paths: readonly string[],
  texts: readonly string[],
): readonly Condition[] | undefined {
  if (paths.length === 0 || paths.length !== texts.length) return undefined;
  const conditions: Condition[] = [];
  for (const [place, path] of paths.entries()) {
    const resolved = resolvePath(schema, kind, path);
    if (resolved.is !== 'attribute' && resolved.is !== 'peer-attribute') return undefined;
    const {attribute, property} = resolved;
    const value = partValue(attribute, property, texts[place] ?? '');
    if (value === undefined) return undefined;
    const own: Condition = {
      is: 'attribute',
      attribute: attribute.name,
      property,
      test: {op: 'in', values: [value]},
    };
    conditions.push(
      resolved.is === 'attribute'
        ? own
        : {is: 'related', relationship: resolved.relationship.name, where: own},
    );
  }
  return conditions;
}
