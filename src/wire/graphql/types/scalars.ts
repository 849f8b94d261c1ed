import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ObjectValueNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type {Json} from '../../../base/json.ts';
import {parseIsoMicros} from '../../../domain/time/instant.ts';

const INTEGER = /^-?\d+$/;

/** Integers beyond 32 bits. */
export const BigIntScalar = new GraphQLScalarType<number, number>({
  name: 'BigInt',
  description: 'An integer, not bound to 32 bits.',
  serialize: value => value as number,
  parseValue: value => integer(value),
  parseLiteral(node) {
    if (node.kind === Kind.INT || (node.kind === Kind.STRING && INTEGER.test(node.value))) {
      return integer(Number(node.value));
    }
    throw new GraphQLError(`BigInt cannot represent a value that is not an integer: ${shown(node)}`, {
      nodes: node,
    });
  },
});

function integer(value: unknown): number {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new GraphQLError(`BigInt cannot represent ${JSON.stringify(value)}: it takes integers up to 2^53`);
}

/** ISO 8601 with an offset or `Z`. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A time as ISO 8601 text with an offset or Z, such as 2026-01-31T10:00:00Z.',
  serialize: value => value as string,
  parseValue: value => dateTime(value),
  parseLiteral(node) {
    if (node.kind === Kind.STRING) return dateTime(node.value);
    throw new GraphQLError(`DateTime cannot represent a value that is not a text: ${shown(node)}`, {
      nodes: node,
    });
  },
});

function dateTime(value: unknown): string {
  if (typeof value === 'string' && parseIsoMicros(value) !== undefined) return value;
  throw new GraphQLError(
    `DateTime cannot represent ${JSON.stringify(value)}: use ISO 8601 with an offset or Z`,
  );
}

/** Any JSON value. Names of enum values are read as texts, as clients write them. */
export const GenericScalar = new GraphQLScalarType<Json, Json>({
  name: 'GenericScalar',
  description: 'Any JSON value.',
  serialize: value => value as Json,
  parseValue: value => value as Json,
  parseLiteral: (node, variables) => literal(node, variables),
});

function literal(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): Json {
  switch (node.kind) {
    case Kind.LIST:
      return node.values.map(item => literal(item, variables));
    case Kind.OBJECT:
      return objectLiteral(node, variables);
    default:
      return (valueFromASTUntyped(node, variables) ?? null) as Json;
  }
}

function objectLiteral(
  node: ObjectValueNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): Json {
  return Object.fromEntries(node.fields.map(field => [field.name.value, literal(field.value, variables)]));
}

const shown = (node: ValueNode): string => ('value' in node ? String(node.value) : node.kind);
