import type {NodeId} from '../../domain/graph/node-id.ts';
import {isNodeId} from '../../domain/graph/node-id.ts';
import type {Draft} from '../../ports/graph-store.ts';
import type {NodeInput, RelatedInput} from './node-input.ts';

const IDS_PER_LOOK_MAX = 1000;

/** Looks the objects up together that rows name by their ids, so that no row has to ask for its own. */
export async function lookAhead(draft: Draft, rows: readonly NodeInput[]): Promise<void> {
  const named = new Set<NodeId>();
  for (const row of rows) for (const id of idsIn(row)) if (isNodeId(id)) named.add(id);
  if (named.size < 2) return;
  const ids = [...named];
  for (let from = 0; from < ids.length; from += IDS_PER_LOOK_MAX) {
    await draft.nodes(ids.slice(from, from + IDS_PER_LOOK_MAX));
  }
}

function* idsIn({id, attributes, relationships}: NodeInput): Generator<string> {
  if (id !== undefined) yield id.toLowerCase();
  for (const attribute of Object.values(attributes)) yield* lineageIn(attribute);
  for (const given of Object.values(relationships)) {
    for (const related of given === null ? [] : ([given].flat() as readonly RelatedInput[])) {
      yield* lineageIn(related);
      if (related.data !== undefined) yield* idsIn(related.data);
      else if (related.id !== undefined) yield related.id.toLowerCase();
    }
  }
}

function* lineageIn({source, owner}: Pick<RelatedInput, 'source' | 'owner'>): Generator<string> {
  for (const id of [source, owner]) if (id) yield id.toLowerCase();
}
