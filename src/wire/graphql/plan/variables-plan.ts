import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  GraphQLString,
  getVariableValues,
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
  const read = isListType(type) ? listReader(readerOf(type.ofType)) : leafReader(type);
  return value => (value === null ? null : read(value));
}

function leafReader(type: GraphQLInputType): Reader {
  const isPlain = PLAIN.get(type);
  return isPlain === undefined ? unsure : value => (isPlain(value) ? value : UNSURE);
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
