import type {DiffNode} from '../../../domain/diff/diff-node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Place} from './diff-labels.ts';

export interface DiffParent {
  readonly id: NodeId;
  readonly kind: string;
  /** By which relationship of the child it is the parent. */
  readonly relationship: string;
}

/** The object that holds another: at its relationship of kind Parent, or above it in a hierarchy. */
export async function parentOf(
  places: readonly Place[],
  {id, kind}: Pick<DiffNode, 'id' | 'kind'>,
): Promise<DiffParent | undefined> {
  for (const {snapshot, schema, view} of places) {
    const relationship = kindOf(schema, kind)?.relationships.find(
      each => each.kind === 'Parent' || (each.kind === 'Hierarchy' && each.name === 'parent'),
    );
    if (relationship === undefined) continue;
    const [parent] = await snapshot.neighbours(id as NodeId, relationship.name);
    if (parent === undefined) continue;
    const {id: parentId, kind: parentKind} = parent;
    if (!view.shows(parentKind)) return undefined;
    return {id: parentId, kind: parentKind, relationship: relationship.name};
  }
  return undefined;
}

export interface Parents {
  readonly of: ReadonlyMap<string, DiffParent>;
  /** Parents that are not among the nodes, as the unchanged frame around them. */
  readonly frame: readonly DiffNode[];
}

/** The parents of the nodes, and theirs, up to the top. */
export async function parentsOf(
  places: readonly Place[],
  nodes: readonly DiffNode[],
  changed: ReadonlyMap<string, DiffNode>,
): Promise<Parents> {
  const of = new Map<string, DiffParent>();
  const frame = new Map<string, DiffNode>();
  const shown = new Set(nodes.map(node => node.id));
  let level: readonly DiffNode[] = nodes;
  while (level.length > 0) {
    const above: DiffNode[] = [];
    for (const node of level) {
      const parent = await parentOf(places, node);
      if (parent === undefined) continue;
      of.set(node.id, parent);
      if (shown.has(parent.id) || frame.has(parent.id)) continue;
      const framed = changed.get(parent.id) ?? unchanged(parent);
      frame.set(parent.id, framed);
      above.push(framed);
    }
    level = above;
  }
  return {of, frame: [...frame.values()]};
}

const unchanged = ({id, kind}: DiffParent): DiffNode => ({
  id,
  kind,
  label: undefined,
  status: 'unchanged',
  path: `data/${id}`,
  changedAt: undefined,
  conflict: undefined,
  attributes: [],
  relationships: [],
});
