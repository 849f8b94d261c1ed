import type {NodeRecord} from '../../domain/graph/node.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {SeenScope} from './meaning.ts';

/** When an object last changed, as far as the caller can tell: a hidden attribute that changed is no change. */
export function seenUpdatedAt(node: NodeRecord, {schema, view}: SeenScope): Instant {
  if (view.isWhole || !view.hidesSome(node.kind)) return node.updatedAt;
  const shown = (concreteKindOf(schema, node.kind)?.attributes ?? []).filter(({name}) =>
    view.showsAttribute(node.kind, name),
  );
  const instants = shown.map(({name}) => node.attribute(name)?.updatedAt ?? 0);
  return Math.max(node.createdAt, ...instants) as Instant;
}
