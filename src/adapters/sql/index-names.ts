import type {AttributeShape, KindShape, Scope} from '../../domain/graph/shape.ts';

/**
 * What the indexes of a kind are called. Entries stand in the kind's default order, so another order makes other
 * indexes; attributes go by their ids, so a rename makes none.
 */
export interface IndexNames {
  /** Of all objects of the kind. */
  readonly membership: string;
  of(attribute: AttributeShape): string;
}

export function indexNames(kind: number, shape: KindShape): IndexNames {
  const ids = new Map(shape.attributes.map(attribute => [attribute.name, attribute.id]));
  const order = shape.orderBy
    .filter(path => ids.has(path.attribute))
    .map(path => `${ids.get(path.attribute)}.${path.property}`)
    .join();
  return {
    membership: `${kind}@${order}`,
    of: attribute => `${kind}/${attribute.id}@${order}`,
  };
}

/** True when an attribute lives on the same branch as the object. */
export const isHome = (kind: Scope, attribute: Scope): boolean =>
  (kind === 'agnostic') === (attribute === 'agnostic');

/** Values that live on another branch than the object are not indexed. */
export const isIndexed = (shape: KindShape, attribute: AttributeShape): boolean =>
  attribute.indexed && isHome(shape.scope, attribute.scope);
