import {isJsonObject, type Json} from '../../base/json.ts';
import {validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import {resolvePath} from '../../domain/schema/paths.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {Snapshot} from '../../ports/graph-store.ts';

/** The variables of a query for one object: each a value of the object, or of a peer of it, named by its path. */
export async function parametersFor(
  snapshot: Snapshot,
  schema: Schema,
  target: NodeRecord,
  parameters: Json,
): Promise<Readonly<Record<string, Json>>> {
  if (!isJsonObject(parameters)) throw validationError('The parameters of the definition are not a map');
  const values: Record<string, Json> = {};
  for (const [name, path] of Object.entries(parameters)) {
    if (typeof path !== 'string') throw validationError(`The parameter ${name} is not the path of a value`);
    values[name] = await valueAt(snapshot, schema, target, path);
  }
  return values;
}

async function valueAt(snapshot: Snapshot, schema: Schema, target: NodeRecord, path: string): Promise<Json> {
  if (path === 'id') return target.id;
  const kind = concreteKindOf(schema, target.kind);
  if (kind === undefined) throw validationError(`There is no kind ${target.kind}`);
  const resolved = resolvePath(schema, kind, path);
  switch (resolved.is) {
    case 'attribute':
      return target.value(resolved.attribute.name);
    case 'peer-attribute': {
      const [peer] = await snapshot.neighbours(target.id, resolved.relationship.name);
      const node = peer === undefined ? undefined : await snapshot.node(peer.id);
      return node?.value(resolved.attribute.name) ?? null;
    }
    case 'relationship': {
      const [peer] = await snapshot.neighbours(target.id, resolved.relationship.name);
      return peer?.id ?? null;
    }
    case 'unresolved':
      throw validationError(resolved.message);
  }
}
