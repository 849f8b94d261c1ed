import {canonicalJson, type Json} from '../../base/json.ts';
import {constraintViolation} from '../../domain/errors.ts';
import type {UniqueShape} from '../../domain/graph/shape.ts';
import type {ModelNode} from './node.ts';
import type {Graph} from './query.ts';

export function checkUnique(graph: Graph): void {
  const taken = new Map<string, ModelNode>();
  for (const node of graph.all()) {
    for (const unique of node.shape.unique) {
      const key = uniqueKey(graph, node, unique);
      if (key === undefined) continue;
      const holder = taken.get(key);
      if (holder !== undefined) {
        throw constraintViolation(`${node.kind} ${node.id} and ${holder.kind} ${holder.id} share ${key}`);
      }
      taken.set(key, node);
    }
  }
}

/** Absent when a part is null: then the object is free. */
function uniqueKey(graph: Graph, node: ModelNode, unique: UniqueShape): string | undefined {
  const values = unique.parts.map((part): Json => {
    if (part.is === 'attribute') return node.typed(part.name, part.property).value;
    return graph.peers(node, part.name)[0]?.node.id ?? null;
  });
  return values.includes(null) ? undefined : `${unique.id} ${canonicalJson(values)}`;
}
