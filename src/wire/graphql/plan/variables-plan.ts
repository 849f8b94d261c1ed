import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLSchema,
  GraphQLString,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import {RequestRefused} from '../errors.ts';
import type {Variables} from './list-request.ts';

const ERRORS_MAX = 20;
const INT_MAX = 2_147_483_647;
const INT_MIN = -2_147_483_648;

/** Stands for a value that must be looked at more closely. */
const UNSURE = Symbol('unsure');

type Given = Readonly<Record<string, unknown>>;
type Reader = (value: unknown) => unknown;

interface Defined {
  readonly name: string;
  readonly read: Reader;
  readonly isRequired: boolean;
  /** Undefined when there is none. */
  readonly otherwise: unknown;
}

/**
 * The variables of an operation. What is plainly right is taken as it is; whatever else, and above all what is wrong,
 * is left to the reference implementation, which knows all rules and says what is amiss.
 */
export class VariablesPlan {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #defined: readonly Defined[];

  constructor(schema: GraphQLSchema, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    this.#defined = (operation.variableDefinitions ?? []).map(({variable, type: node, defaultValue}) => {
      const type = typeFromAST(schema, node);
      const isRead = type !== undefined && isInputType(type);
      return {
        name: variable.name.value,
        read: isRead ? readerOf(type) : unsure,
        isRequired: !isRead || isNonNullType(type),
        otherwise: isRead && defaultValue !== undefined ? valueFromAST(defaultValue, type) : undefined,
      };
    });
  }

  /** Refuses what does not fit. */
  read(given: Given): Variables {
    return this.#readPlain(given) ?? this.#readAny(given);
  }

  #readPlain(given: Given): Variables | undefined {
    const values: Record<string, unknown> = {};
    for (const {name, read, isRequired, otherwise} of this.#defined) {
      if (Object.hasOwn(given, name)) {
        const value = read(given[name]);
        if (value === UNSURE) return undefined;
        values[name] = value;
      } else if (otherwise !== undefined) values[name] = otherwise;
      else if (isRequired) return undefined;
    }
    return values;
  }

  #readAny(given: Given): Variables {
    const definitions = this.#operation.variableDefinitions ?? [];
    const {coerced, errors} = getVariableValues(
      this.#schema,
      definitions,
      {...given},
      {maxErrors: ERRORS_MAX},
    );
    if (coerced === undefined) throw new RequestRefused(must(errors, 'the errors of the variables'));
    return coerced;
  }
}

const unsure: Reader = () => UNSURE;

/** Of scalars that are most often met; what is not plainly of the type may still be taken for it by their own rules. */
const PLAIN: ReadonlyMap<GraphQLInputType, (value: unknown) => boolean> = new Map<
  GraphQLInputType,
  (value: unknown) => boolean
>([
  [GraphQLString, value => typeof value === 'string'],
  [GraphQLID, value => typeof value === 'string'],
  [GraphQLBoolean, value => typeof value === 'boolean'],
  [GraphQLFloat, Number.isFinite],
  [
    GraphQLInt,
    value => Number.isInteger(value) && (value as number) <= INT_MAX && (value as number) >= INT_MIN,
  ],
]);

function readerOf(type: GraphQLInputType): Reader {
  if (isNonNullType(type)) {
    const read = readerOf(type.ofType);
    return value => (value === null || value === undefined ? UNSURE : read(value));
  }
  const read = readerOfNullable(type);
  return value => (value === null ? null : read(value));
}

function readerOfNullable(type: GraphQLNullableType & GraphQLInputType): Reader {
  if (isListType(type)) return listReader(readerOf(type.ofType));
  return isInputObjectType(type) ? objectReader(type) : leafReader(type);
}

function leafReader(type: GraphQLLeafType): Reader {
  const isPlain = PLAIN.get(type);
  if (isPlain !== undefined) return value => (isPlain(value) ? value : UNSURE);
  return value => {
    try {
      const parsed = type.parseValue(value);
      return parsed === undefined ? UNSURE : parsed;
    } catch {
      return UNSURE;
    }
  };
}

interface InputField {
  readonly name: string;
  readonly read: Reader;
  readonly isRequired: boolean;
  readonly otherwise: unknown;
}

/** The fields are looked at when the first object comes: types may hold themselves. */
function objectReader(type: GraphQLInputObjectType): Reader {
  if (type.isOneOf) return unsure;
  let fields: readonly InputField[] | undefined;
  return value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNSURE;
    fields ??= Object.values(type.getFields()).map(field => ({
      name: field.name,
      read: readerOf(field.type),
      isRequired: isNonNullType(field.type),
      otherwise: field.defaultValue,
    }));
    return readObject(fields, value as Given);
  };
}

function readObject(fields: readonly InputField[], given: Given): unknown {
  const values: Record<string, unknown> = {};
  let met = 0;
  for (const {name, read, isRequired, otherwise} of fields) {
    if (!Object.hasOwn(given, name)) {
      if (otherwise !== undefined) values[name] = otherwise;
      else if (isRequired) return UNSURE;
      continue;
    }
    const value = read(given[name]);
    if (value === UNSURE) return UNSURE;
    values[name] = value;
    met += 1;
  }
  return met === Object.keys(given).length ? values : UNSURE;
}

const listReader =
  (read: Reader): Reader =>
  value => {
    if (!Array.isArray(value)) return UNSURE;
    const items: unknown[] = [];
    for (const item of value) {
      const known = read(item);
      if (known === UNSURE) return UNSURE;
      items.push(known);
    }
    return items;
  };
