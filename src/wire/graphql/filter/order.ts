import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import {validationError} from '../../../domain/errors.ts';
import type {Order} from '../../../domain/query/node-query.ts';
import {resolvePath} from '../../../domain/schema/paths.ts';
import type {KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {listOrder} from '../../../domain/schema/shape-of.ts';

export const OrderDirection = new GraphQLEnumType({name: 'OrderDirection', values: {ASC: {}, DESC: {}}});

const OrderByInput = new GraphQLInputObjectType({
  name: 'OrderByInput',
  fields: {
    path: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'Such as name__value, or site__name__value through a to-one relationship.',
    },
    direction: {type: OrderDirection, defaultValue: 'ASC'},
  },
});

export const OrderInput = new GraphQLInputObjectType({
  name: 'OrderInput',
  fields: {
    disable: {type: GraphQLBoolean, description: 'In the order of creation.'},
    by: {type: new GraphQLList(new GraphQLNonNull(OrderByInput))},
    node_metadata: {
      type: new GraphQLInputObjectType({
        name: 'OrderNodeMetadataInput',
        fields: {created_at: {type: OrderDirection}, updated_at: {type: OrderDirection}},
      }),
    },
  },
});

interface GivenOrder {
  readonly disable?: boolean | null;
  readonly by?: readonly {readonly path: string; readonly direction: string}[] | null;
  readonly node_metadata?: {readonly created_at?: string | null; readonly updated_at?: string | null} | null;
}

const TIMES = [
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
] as const;

/** The order to ask the store for; undefined for the one it keeps by itself. */
export function orderOf(
  schema: Schema,
  kind: KindSchema,
  given: GivenOrder | undefined,
): readonly Order[] | undefined {
  if (given?.disable === true) return [{by: 'createdAt', descending: false}];
  const orders: Order[] = (given?.by ?? []).map(item => ({
    by: 'attribute',
    path: attributePath(schema, kind, item.path),
    descending: item.direction === 'DESC',
  }));
  for (const [name, by] of TIMES) {
    const direction = given?.node_metadata?.[name];
    if (direction) orders.push({by, descending: direction === 'DESC'});
  }
  return orders.length > 0 ? orders : listOrder(kind);
}

function attributePath(schema: Schema, kind: KindSchema, path: string) {
  const resolved = resolvePath(schema, kind, path);
  if (
    resolved.is !== 'unresolved' &&
    'attribute' in resolved &&
    resolved.attribute.kind === 'HashedPassword'
  ) {
    throw validationError(`${path} is a password: nothing can be ordered by it`);
  }
  if (resolved.is === 'attribute') {
    return {attribute: resolved.attribute.name, property: resolved.property};
  }
  if (resolved.is === 'peer-attribute' && resolved.relationship.cardinality === 'one') {
    const {relationship, attribute, property} = resolved;
    return {relationship: relationship.name, attribute: attribute.name, property};
  }
  throw validationError(
    resolved.is === 'unresolved' ? resolved.message : `${kind.kind} cannot be ordered by "${path}"`,
  );
}
