import type {AttributeKind} from '../attribute/kinds.ts';
import type {AttributeShape, KindShape, OrderPath, UniquePart, UniqueShape} from '../graph/shape.ts';
import type {Order} from '../query/node-query.ts';
import type {AttributeSchema, ConcreteSchema, Schema, UniquenessConstraint} from './schema.ts';

/** Small closed sets of values, and addresses, whose order is not that of their text: worth an index anyway. */
const INDEXED_KINDS: ReadonlySet<AttributeKind> = new Set([
  'Dropdown',
  'IPHost',
  'IPNetwork',
  'MacAddress',
  'NumberPool',
]);

/** Fields that a generated kind has had from its first day, whatever its model gains later. */
const BORN_WITH_GENERATED = new Set(['profile_name', 'profile_priority', 'template_name']);

/** The shapes of every kind that has objects, or of those wanted. */
export function shapesOf(
  schema: Schema,
  isWanted: (kind: ConcreteSchema) => boolean = () => true,
): readonly KindShape[] {
  const generics = new Map<string, string[]>();
  for (const generic of schema.generics.values()) {
    for (const kind of generic.used_by) {
      const list = generics.get(kind);
      if (list === undefined) generics.set(kind, [generic.kind]);
      else list.push(generic.kind);
    }
  }
  const kinds: ConcreteSchema[] = [
    ...schema.nodes.values(),
    ...schema.profiles.values(),
    ...schema.templates.values(),
  ];
  return kinds.filter(isWanted).map(kind => shapeOf(kind, generics.get(kind.kind) ?? []));
}

function shapeOf(kind: ConcreteSchema, generics: readonly string[]): KindShape {
  const sought = soughtAttributes(kind);
  return {
    id: kind.id,
    name: kind.kind,
    generics: [...new Set([...generics, ...kind.inherit_from])].sort(),
    scope: kind.branch,
    attributes: kind.attributes.map(attribute => attributeShape(kind, attribute, sought)),
    relationships: kind.relationships.map(({name, identifier, direction, peer, cardinality, branch}) => ({
      name,
      identifier,
      direction,
      peer,
      cardinality,
      scope: branch,
    })),
    orderBy: orderPaths(kind) ?? [],
    unique: kind.uniqueness.map(constraint => uniqueShape(kind, constraint)),
  };
}

/**
 * The order to ask for when a kind is listed; `undefined` where the store keeps it by itself, which it does for
 * orders by the kind's own attributes.
 */
export function listOrder(kind: Pick<ConcreteSchema, 'order_by' | 'fields'>): readonly Order[] | undefined {
  if (kind.order_by === null || orderPaths(kind) !== undefined) return undefined;
  return kind.order_by.map(path => {
    const [first = '', second = 'value', third] = path.split('__');
    return third === undefined && kind.fields.get(first)?.is === 'attribute'
      ? {by: 'attribute', path: {attribute: first, property: second}, descending: false}
      : {
          by: 'attribute',
          path: {relationship: first, attribute: second, property: third ?? 'value'},
          descending: false,
        };
  });
}

/** The order as paths of the kind's own attributes; `undefined` when it leads through a relationship. */
function orderPaths(kind: Pick<ConcreteSchema, 'order_by' | 'fields'>): readonly OrderPath[] | undefined {
  const paths: OrderPath[] = [];
  for (const path of kind.order_by ?? []) {
    const [attribute = '', property = 'value'] = path.split('__');
    if (kind.fields.get(attribute)?.is !== 'attribute') return undefined;
    paths.push({attribute, property});
  }
  return paths;
}

function attributeShape(
  kind: ConcreteSchema,
  attribute: AttributeSchema,
  sought: ReadonlySet<string>,
): AttributeShape {
  const indexed = sought.has(attribute.name) || attribute.enum !== null || INDEXED_KINDS.has(attribute.kind);
  const shape = {
    id: attribute.id,
    name: attribute.name,
    kind: attribute.kind,
    scope: attribute.branch,
    indexed,
  };
  if (kind.type === 'node') {
    const late = kind.late.get(attribute.id);
    return late === undefined ? shape : {...shape, late};
  }
  return BORN_WITH_GENERATED.has(attribute.name) ? shape : {...shape, late: null};
}

/** Attributes by which objects are looked up or ordered. */
function soughtAttributes(kind: ConcreteSchema): ReadonlySet<string> {
  const paths = [
    ...(kind.human_friendly_id ?? []),
    ...(kind.order_by ?? []),
    ...kind.uniqueness.flatMap(constraint => constraint.paths),
    ...(kind.default_filter === null ? [] : [kind.default_filter]),
  ];
  return new Set(paths.map(path => path.split('__')[0]!));
}

function uniqueShape(kind: ConcreteSchema, constraint: UniquenessConstraint): UniqueShape {
  const parts = constraint.paths.map((path): UniquePart => {
    const [name = '', property = 'value'] = path.split('__');
    return kind.fields.get(name)?.is === 'relationship'
      ? {is: 'relationship', name}
      : {is: 'attribute', name, property};
  });
  return {id: constraint.id, parts};
}
