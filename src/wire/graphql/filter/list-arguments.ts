import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLString,
} from 'graphql';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import type {Filter} from './filter.ts';
import {nestedFilters, rootFilters} from './kind-filters.ts';
import {OrderInput} from './order.ts';
import type {WhereBook} from './where.ts';

const PAGE: readonly (readonly [string, GraphQLInputType])[] = [
  ['offset', GraphQLInt],
  ['limit', GraphQLInt],
  ['first', GraphQLInt],
  ['after', GraphQLString],
  ['order', OrderInput],
];

/** The arguments of lists. Those of related objects are the same wherever the kind is reached. */
export class ListArguments {
  readonly #schema: Schema;
  readonly #wheres: WhereBook;
  readonly #nested = new Map<string, readonly GraphQLArgument[]>();

  constructor(schema: Schema, wheres: WhereBook) {
    this.#schema = schema;
    this.#wheres = wheres;
  }

  root(kindName: string): readonly GraphQLArgument[] {
    const kind = kindOf(this.#schema, kindName)!;
    const args = PAGE.map(([name, type]) => argument(name, type));
    if (kind.human_friendly_id !== null) args.push(argument('hfid', new GraphQLList(GraphQLString)));
    args.push(argument('partial_match', GraphQLBoolean, {defaultValue: false}));
    args.push(argument('where', this.#wheres.type(kindName)));
    for (const [name, filter] of rootFilters(this.#schema, kind)) args.push(filterArgument(name, filter));
    return withoutRepeats(args);
  }

  nested(kindName: string, hasDescendants: boolean): readonly GraphQLArgument[] {
    const key = `${kindName} ${hasDescendants}`;
    const known = this.#nested.get(key);
    if (known !== undefined) return known;
    const kind = kindOf(this.#schema, kindName)!;
    const args = PAGE.map(([name, type]) => argument(name, type));
    args.push(argument('where', this.#wheres.type(kindName)));
    args.push(argument('isnull', GraphQLBoolean));
    if (hasDescendants) args.push(argument('include_descendants', GraphQLBoolean));
    for (const [name, filter] of nestedFilters(kind)) args.push(filterArgument(name, filter));
    const made = withoutRepeats(args);
    this.#nested.set(key, made);
    return made;
  }
}

/** A list's own arguments win over an attribute's filter of the same name. */
function withoutRepeats(args: readonly GraphQLArgument[]): readonly GraphQLArgument[] {
  return [...new Map(args.map(each => [each.name, each] as const).reverse()).values()].reverse();
}

const filterArgument = (name: string, filter: Filter): GraphQLArgument =>
  argument(name, filter.type, {extensions: {filter}});

function argument(
  name: string,
  type: GraphQLInputType,
  more: Partial<GraphQLArgument> = {},
): GraphQLArgument {
  return {
    name,
    type,
    description: undefined,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
    ...more,
  };
}
