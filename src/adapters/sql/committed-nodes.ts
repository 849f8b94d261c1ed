import type {CommittedNode, EventAttribute, EventEdge} from '../../domain/event/graph-event.ts';
import {isSame} from './attribute-changes.ts';
import {comparedState, edgeChanges, type RawEdgeChange} from './edge-changes.ts';
import {readProperties} from './edge-properties.ts';
import type {KindLayout, SlotLayout} from './layout.ts';
import type {Reader} from './reader.ts';
import type {Work} from './statement.ts';
import type {StoredNode} from './stored-node.ts';
import {type Touched, touchedAmong} from './touched.ts';

/**
 * How some of the touched objects differ between two states, by their numbers. Unlike a diff it tells of everything:
 * of what lives on the branch, of what is local to it, and of what all branches share.
 */
export function* committedNodes(
  before: Reader,
  after: Reader,
  touched: Touched,
  serials: readonly number[],
): Work<ReadonlyMap<number, CommittedNode>> {
  const concerned = touchedAmong(touched, new Set(serials));
  const loaded = new Set(serials);
  for (const [[source, , target]] of concerned.edges.values()) loaded.add(source).add(target);
  const was = yield* comparedState(before, [...loaded]);
  const is = yield* comparedState(after, [...loaded]);
  const edges = yield* edgeChanges(was, is, concerned, 'any');
  const [old, now] = [was.nodes, is.nodes];
  const peerOf = (serial: number): StoredNode => (now.get(serial) ?? old.get(serial))!;
  const changes = new Map<number, CommittedNode>();
  for (const serial of serials) {
    const [a, b] = [old.get(serial), now.get(serial)];
    const shown = b ?? a;
    if (shown === undefined) continue;
    const attributes = attributeChanges(a, b);
    const named = namedEdges(edges.get(serial) ?? [], shown.layout, peerOf);
    const action = a === undefined ? 'added' : b === undefined ? 'removed' : 'updated';
    if (action === 'updated' && attributes.length === 0 && named.length === 0) continue;
    const {id, kind, layout} = shown;
    const {generics, scope} = layout.shape;
    const isShared =
      action === 'updated' ? [...attributes, ...named].some(each => each.isShared) : scope === 'agnostic';
    changes.set(serial, {id, kind, generics, action, isShared, attributes, edges: named});
  }
  return changes;
}

function attributeChanges(
  before: StoredNode | undefined,
  after: StoredNode | undefined,
): readonly EventAttribute[] {
  const attributes: EventAttribute[] = [];
  const isWhole = before === undefined || after === undefined;
  const old = slotsById(before?.layout);
  const now = slotsById(after?.layout);
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const [from, to] = [old.get(id)?.shape, now.get(id)?.shape];
    const a = from === undefined ? undefined : before?.attribute(from.name);
    const b = to === undefined ? undefined : after?.attribute(to.name);
    if (isSame(a, b) || (isWhole && (a?.value ?? b?.value ?? null) === null)) continue;
    const {name, kind, scope} = to ?? from!;
    attributes.push({name, kind, isShared: scope === 'agnostic', before: a, after: b});
  }
  return attributes;
}

const slotsById = (layout: KindLayout | undefined): ReadonlyMap<string, SlotLayout> =>
  new Map(Array.from(layout?.slots.values() ?? [], slot => [slot.shape.id, slot]));

function namedEdges(
  changes: readonly RawEdgeChange[],
  layout: KindLayout,
  peerOf: (serial: number) => StoredNode,
): readonly EventEdge[] {
  const edges: EventEdge[] = [];
  for (const {code, target, before, after} of changes) {
    for (const relationship of layout.relationships.values()) {
      if (relationship.code !== code) continue;
      edges.push({
        relationship: relationship.shape.name,
        peer: peerOf(target).id,
        peerKind: peerOf(target).kind,
        isShared: relationship.shape.scope === 'agnostic',
        before: before === undefined ? undefined : readProperties(before),
        after: after === undefined ? undefined : readProperties(after),
      });
    }
  }
  return edges;
}
