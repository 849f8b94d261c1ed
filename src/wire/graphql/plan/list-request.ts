import {type FieldNode, type GraphQLField, Kind, print, type ValueNode, valueFromAST} from 'graphql';
import {must} from '../../../base/assert.ts';
import type {Condition, NodeQuery, PageRequest} from '../../../domain/query/node-query.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {orderTag} from '../cursor.ts';
import {all, type Filter, type FilterOptions} from '../filter/filter.ts';
import {hfidCondition} from '../filter/hfid-condition.ts';
import {orderOf} from '../filter/order.ts';
import {pageOf} from '../filter/page.ts';
import type {WhereBook} from '../filter/where.ts';
import type {GraphqlLimits} from '../limits.ts';

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
}

type ListField = Pick<GraphQLField<unknown, unknown>, 'args'>;

/** The arguments of one list in a document: read once, bound to the variables of each run. */
export class ListArgumentsPlan {
  /** Equal for lists of the same relationship that ask for the same. */
  readonly signature: string;
  readonly #context: ListContext;
  readonly #kind: string;
  readonly #field: ListField;
  readonly #given: readonly (readonly [name: string, node: ValueNode])[];
  readonly #isConstant: boolean;
  #bound: ListRequest | undefined;
  #boundTo: Variables | undefined;

  constructor(context: ListContext, kind: string, field: ListField, node: FieldNode) {
    this.#context = context;
    this.#kind = kind;
    this.#field = field;
    this.#given = (node.arguments ?? []).map(({name, value}) => [name.value, value] as const);
    this.#isConstant = this.#given.every(([, value]) => !hasVariable(value));
    const filters = this.#given.map(([name]) => filterOf(field, name)?.signature ?? '');
    this.signature = JSON.stringify([this.#given.map(([name, value]) => `${name}:${print(value)}`), filters]);
  }

  bind(variables: Variables): ListRequest {
    if (this.#bound !== undefined && (this.#isConstant || this.#boundTo === variables)) return this.#bound;
    const values: Record<string, unknown> = {};
    for (const [name, node] of this.#given) {
      const argument = must(
        this.#field.args.find(each => each.name === name),
        `the argument ${name}`,
      );
      values[name] = valueFromAST(node, argument.type, variables);
    }
    this.#bound = listRequest(this.#context, this.#kind, this.#field, values);
    this.#boundTo = variables;
    return this.#bound;
  }
}

export function listRequest(
  {schema, wheres, limits}: ListContext,
  kindName: string,
  field: ListField,
  values: ArgumentValues,
): ListRequest {
  const kind = must(kindOf(schema, kindName), `the kind ${kindName}`);
  const options: FilterOptions = {
    isPartial: values.partial_match === true,
    hierarchyDepthMax: limits.hierarchyDepthMax,
  };
  const order = orderOf(schema, kind, values.order ?? undefined);
  const tag = orderTag(kindName, order);
  const where = isGiven(values.hfid)
    ? hfidCondition(schema, kind, values.hfid as readonly unknown[])
    : whereOf(field, values, options, given => wheres.condition(kindName, given));
  return {
    query: {...(where === undefined ? {} : {where}), ...(order === undefined ? {} : {order})},
    page: pageOf(values, limits.pageRowsMax, tag),
    orderTag: tag,
    ofDescendants: values.include_descendants === true,
  };
}

function whereOf(
  field: ListField,
  values: ArgumentValues,
  options: FilterOptions,
  structured: (given: ArgumentValues) => Condition,
): Condition | undefined {
  const conditions: Condition[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (!isGiven(value)) continue;
    const condition = filterOf(field, name)?.condition(value, options);
    if (condition !== undefined) conditions.push(condition);
    else if (name === 'where') conditions.push(structured(value as ArgumentValues));
    else if (name === 'isnull' && value === true) conditions.push({is: 'id', in: []});
  }
  return conditions.length === 0 ? undefined : all(conditions);
}

/** A null says nothing, as an argument left out. */
const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

const filterOf = (field: ListField, name: string): Filter | undefined =>
  field.args.find(each => each.name === name)?.extensions.filter as Filter | undefined;

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.VARIABLE) return true;
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  return node.kind === Kind.OBJECT && node.fields.some(field => hasVariable(field.value));
}
