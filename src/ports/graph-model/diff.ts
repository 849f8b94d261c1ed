import type {AttributeChange, EdgeChange, NodeChange} from '../../domain/diff/change.ts';
import type {EdgeProperties} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {RelationshipShape} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {sameState} from './draft.ts';
import type {ModelNode} from './node.ts';
import type {ModelView} from './view.ts';

/** How the aware part of two views differs, among the objects that commits between them touched. */
export function differences(
  before: ModelView,
  after: ModelView,
  touched: ReadonlyMap<NodeId, Instant>,
): NodeChange[] {
  return [...touched].flatMap(([id, changedAt]): NodeChange[] => {
    const [old, now] = [before.find(id), after.find(id)];
    const node = now ?? old;
    if (node === undefined || node.shape.scope === 'local') return [];
    const attributes = attributeChanges(old, now);
    const edges = edgeChanges(before, old, after, now);
    const action = old === undefined ? 'added' : now === undefined ? 'removed' : 'updated';
    if (action === 'updated' && attributes.length + edges.length === 0) return [];
    return [{id, kind: node.kind, action, attributes, edges, changedAt}];
  });
}

function attributeChanges(old: ModelNode | undefined, now: ModelNode | undefined): AttributeChange[] {
  const namesById = new Map(
    [old, now]
      .flatMap(node => node?.shape.attributes ?? [])
      .flatMap(shape => (shape.scope === 'aware' ? [[shape.id, shape.name]] : [])),
  );
  return [...namesById].flatMap(([id, name]): AttributeChange[] => {
    const [before, after] = [old, now].map(node => {
      const own = node?.shape.attributes.find(shape => shape.id === id);
      return own && node?.attribute(own.name);
    });
    const isSame = before !== undefined && after !== undefined && sameState(before, after);
    return isSame ? [] : [{name, before, after}];
  });
}

function edgeChanges(
  before: ModelView,
  old: ModelNode | undefined,
  after: ModelView,
  now: ModelNode | undefined,
): EdgeChange[] {
  const relationships = (now ?? old)?.shape.relationships.filter(shape => shape.scope === 'aware') ?? [];
  return relationships.flatMap((shape: RelationshipShape): EdgeChange[] => {
    const [was, is] = [peersOf(before, old, shape), peersOf(after, now, shape)];
    const peers = [...new Set([...was.keys(), ...is.keys()])];
    return peers.flatMap(peer => {
      const [a, b] = [was.get(peer), is.get(peer)];
      if (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b)) return [];
      return [{relationship: shape.name, peer, before: a, after: b}];
    });
  });
}

function peersOf(
  view: ModelView,
  node: ModelNode | undefined,
  shape: RelationshipShape,
): ReadonlyMap<NodeId, EdgeProperties> {
  if (node === undefined) return new Map();
  return new Map(view.peers(node, shape.name).map(peer => [peer.node.id, peer.edge.properties]));
}
