import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  isNonNullType,
  Kind,
  print,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import type {Condition, NodeQuery, Order, PageRequest} from '../../../domain/query/node-query.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {orderTag} from '../cursor.ts';
import {all, type Filter, type FilterOptions} from '../filter/filter.ts';
import {hfidCondition} from '../filter/hfid-condition.ts';
import {orderOf} from '../filter/order.ts';
import {pageOf} from '../filter/page.ts';
import type {WhereBook} from '../filter/where.ts';
import type {GraphqlLimits} from '../limits.ts';
import type {Fragments} from './fragments.ts';

export type Variables = Readonly<Record<string, unknown>>;
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** What the arguments of a list come to. */
export interface ListRequest {
  readonly query: Pick<NodeQuery, 'where' | 'order'>;
  readonly page: PageRequest | undefined;
  readonly orderTag: string;
  readonly ofDescendants: boolean;
}

export interface ListContext {
  readonly schema: Schema;
  readonly wheres: WhereBook;
  readonly limits: GraphqlLimits;
  readonly fragments: Fragments;
}

type ListField = Pick<GraphQLField<unknown, unknown>, 'args'>;

interface Ordered {
  readonly order: readonly Order[] | undefined;
  readonly tag: string;
}

interface GivenArgument {
  readonly name: string;
  readonly isConstant: boolean;
  read(variables: Variables): unknown;
}

/** The arguments of one list in a document: read once, bound to the variables of each run. */
export class ListArgumentsPlan {
  /** Equal for lists of the same relationship that ask for the same. */
  readonly signature: string;
  readonly #context: ListContext;
  readonly #kind: string;
  readonly #filters: ReadonlyMap<string, Filter>;
  readonly #given: readonly GivenArgument[];
  readonly #isConstant: boolean;
  readonly #isOrderConstant: boolean;
  #ordered: Ordered | undefined;
  #bound: ListRequest | undefined;
  #boundTo: Variables | undefined;

  constructor(context: ListContext, kind: string, field: ListField, node: FieldNode) {
    const given = node.arguments ?? [];
    const {args} = field;
    this.#context = context;
    this.#kind = kind;
    this.#filters = filtersOf(field);
    this.#given = given.map(({name, value}) => {
      const argument = args.find(each => each.name === name.value);
      return givenArgument(must(argument, `the argument ${name.value}`), value);
    });
    this.#isConstant = this.#given.every(({isConstant}) => isConstant);
    this.#isOrderConstant = this.#given.every(({name, isConstant}) => isConstant || name !== 'order');
    const filters = given.map(({name}) => this.#filters.get(name.value)?.signature ?? '');
    this.signature = JSON.stringify([given.map(({name, value}) => `${name.value}:${print(value)}`), filters]);
  }

  bind(variables: Variables): ListRequest {
    if (this.#bound !== undefined && (this.#isConstant || this.#boundTo === variables)) return this.#bound;
    const values: Record<string, unknown> = {};
    for (const argument of this.#given) values[argument.name] = argument.read(variables);
    const ordered = this.#order(values);
    this.#bound = requestOf(this.#context, this.#kind, this.#filters, values, ordered);
    this.#boundTo = variables;
    return this.#bound;
  }

  #order(values: ArgumentValues): Ordered {
    if (this.#ordered !== undefined && this.#isOrderConstant) return this.#ordered;
    this.#ordered = ordered(this.#context.schema, this.#kind, values);
    return this.#ordered;
  }
}

/** What stands for an argument; a mere variable has been read by the rules of its type already. */
function givenArgument({name, type}: GraphQLArgument, node: ValueNode): GivenArgument {
  if (!hasVariable(node)) {
    const value = valueFromAST(node, type);
    return {name, isConstant: true, read: () => value};
  }
  if (node.kind === Kind.VARIABLE && !isNonNullType(type)) {
    const variable = node.name.value;
    return {name, isConstant: false, read: variables => variables[variable]};
  }
  return {name, isConstant: false, read: variables => valueFromAST(node, type, variables)};
}

export function listRequest(
  context: ListContext,
  kindName: string,
  field: ListField,
  values: ArgumentValues,
): ListRequest {
  return requestOf(context, kindName, filtersOf(field), values, ordered(context.schema, kindName, values));
}

function ordered(schema: Schema, kindName: string, values: ArgumentValues): Ordered {
  const kind = must(kindOf(schema, kindName), `the kind ${kindName}`);
  const order = orderOf(schema, kind, values.order ?? undefined);
  return {order, tag: orderTag(kindName, order)};
}

function requestOf(
  {schema, wheres, limits}: ListContext,
  kindName: string,
  filters: ReadonlyMap<string, Filter>,
  values: ArgumentValues,
  {order, tag}: Ordered,
): ListRequest {
  const options: FilterOptions = {
    isPartial: values.partial_match === true,
    hierarchyDepthMax: limits.hierarchyDepthMax,
  };
  const where = isGiven(values.hfid)
    ? hfidCondition(
        schema,
        must(kindOf(schema, kindName), `the kind ${kindName}`),
        values.hfid as readonly unknown[],
      )
    : whereOf(filters, values, options, given => wheres.condition(kindName, given));
  return {
    query: {...(where === undefined ? {} : {where}), ...(order === undefined ? {} : {order})},
    page: pageOf(values, limits.pageRowsMax, tag),
    orderTag: tag,
    ofDescendants: values.include_descendants === true,
  };
}

function whereOf(
  filters: ReadonlyMap<string, Filter>,
  values: ArgumentValues,
  options: FilterOptions,
  structured: (given: ArgumentValues) => Condition,
): Condition | undefined {
  const conditions: Condition[] = [];
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (!isGiven(value)) continue;
    const condition = filters.get(name)?.condition(value, options);
    if (condition !== undefined) conditions.push(condition);
    else if (name === 'where') conditions.push(structured(value as ArgumentValues));
    else if (name === 'isnull' && value === true) conditions.push({is: 'id', in: []});
  }
  return conditions.length === 0 ? undefined : all(conditions);
}

/** A null says nothing, as an argument left out. */
const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

const filtersOfFields = new WeakMap<readonly GraphQLArgument[], ReadonlyMap<string, Filter>>();

/** Worked out once for each field. */
function filtersOf({args}: ListField): ReadonlyMap<string, Filter> {
  const known = filtersOfFields.get(args);
  if (known !== undefined) return known;
  const filters = new Map<string, Filter>();
  for (const {name, extensions} of args) {
    if (extensions.filter !== undefined) filters.set(name, extensions.filter as Filter);
  }
  filtersOfFields.set(args, filters);
  return filters;
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  return node.kind === Kind.OBJECT && node.fields.some(field => hasVariable(field.value));
}
