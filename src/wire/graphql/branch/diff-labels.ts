import type {Caller} from '../../../app/caller.ts';
import type {Services} from '../../../app/services.ts';
import type {Json} from '../../../base/json.ts';
import {type View, viewOf} from '../../../domain/access/view.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {labelPaths} from '../../../domain/node/label.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import type {Snapshot} from '../../../ports/graph-store.ts';
import {labelOf} from '../labels.ts';

/** A state of the graph to look objects up in, with its schema. */
export interface Place {
  readonly snapshot: Snapshot;
  readonly schema: Schema;
  /** What whoever looks may see of it. */
  readonly view: View;
}

export const placeOf = (
  {store, schemas}: Pick<Services, 'store' | 'schemas'>,
  {access}: Caller,
  snapshot: Snapshot,
): Place => {
  const schema = schemas.of(snapshot);
  return {snapshot, schema, view: viewOf(access, schema, snapshot.branch === store.defaultBranch)};
};

/** The labels of objects that may be seen; one that the first place does not have is looked up in the next. */
export async function labelsOf(
  places: readonly Place[],
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  let missing = [...new Set(ids)] as NodeId[];
  for (const place of places) {
    if (missing.length === 0) break;
    const nodes = await place.snapshot.nodes(missing);
    const found = new Set<string>();
    for (const node of nodes) {
      if (node === undefined) continue;
      found.add(node.id);
      if (place.view.shows(node.kind)) labels.set(node.id, await labelAt(place, node));
    }
    missing = missing.filter(id => !found.has(id));
  }
  return labels;
}

async function labelAt({snapshot, schema, view}: Place, node: NodeRecord): Promise<string> {
  if (!view.showsLabel(node.kind, 'display_label')) return node.id;
  const kind = kindOf(schema, node.kind);
  const peers = new Map<string, NodeRecord | undefined>();
  for (const path of kind === undefined ? [] : labelPaths(kind)) {
    const [first = ''] = path.split('__');
    if (kind?.fields.get(first)?.is !== 'relationship' || peers.has(first)) continue;
    const [neighbour] = await snapshot.neighbours(node.id, first);
    peers.set(first, neighbour === undefined ? undefined : await snapshot.node(neighbour.id));
  }
  const label: Json = labelOf(schema, 'display_label', node, name => peers.get(name));
  return typeof label === 'string' ? label : node.id;
}
