import {
  type GraphQLFieldConfigMap,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  printSchema,
  specifiedScalarTypes,
} from 'graphql';
import {ATTRIBUTE_KINDS} from '../../../domain/attribute/kinds.ts';
import {allKinds} from '../../../domain/schema/lookup.ts';
import type {KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {MUTATION_ALIASES, QUERY_ALIASES, withAliases} from '../aliases.ts';
import type {FieldContext} from '../engine.ts';
import {ListArguments} from '../filter/list-arguments.ts';
import {OrderInput} from '../filter/order.ts';
import {attributeWhere, WhereBook} from '../filter/where.ts';
import type {Meaning} from '../meaning.ts';
import {kindMutations} from '../mutation/kind-mutations.ts';
import {DIRECTIVES} from './directives.ts';
import {KindTypeBook} from './kind-types.ts';
import {LazyObjectType, Opening} from './lazy-types.ts';
import type {RootFieldsMaker} from './root-fields.ts';
import {BigIntScalar, DateTimeScalar, GenericScalar} from './scalars.ts';
import {isInternal} from './shown-fields.ts';

/** The GraphQL face of a schema, shared by every branch and instant that has it. */
export class BranchGraphql {
  readonly schema: Schema;
  readonly graphql: GraphQLSchema;
  readonly wheres: WhereBook;
  #sdl: string | undefined;

  constructor(schema: Schema, makers: readonly RootFieldsMaker[]) {
    this.schema = schema;
    const opening = new Opening();
    this.wheres = new WhereBook(schema, opening);
    const lists = new ListArguments(schema, this.wheres);
    const types = new KindTypeBook(schema, opening, (peer, hasDescendants) =>
      lists.nested(peer, hasDescendants),
    );
    const kinds = [...allKinds(schema)].filter(kind => !isInternal(kind));
    const more = makers.map(make => make(schema, types));
    const query = withAliases(
      Object.assign(
        {},
        kindQueries(kinds, types),
        accountQuery(schema, types),
        ...more.map(each => each.query),
      ),
      QUERY_ALIASES,
    );
    const ofKinds = kindMutations(schema, kinds, types);
    const mutation = withAliases(
      Object.assign({}, ofKinds.fields, ...more.map(each => each.mutation)),
      MUTATION_ALIASES,
    );
    const subscription: Fields = Object.assign({}, ...more.map(each => each.subscription));
    const hasSubscriptions = Object.keys(subscription).length > 0;
    this.graphql = new GraphQLSchema({
      query: new LazyObjectType(opening, {name: 'Query', fields: query as never}, () =>
        kinds.map(kind => [kind.kind, () => lists.root(kind.kind)] as const),
      ),
      mutation: new LazyObjectType(opening, {name: 'Mutation', fields: mutation as never}),
      ...(hasSubscriptions
        ? {subscription: new GraphQLObjectType({name: 'Subscription', fields: subscription})}
        : {}),
      types: [
        ...specifiedScalarTypes,
        BigIntScalar,
        DateTimeScalar,
        GenericScalar,
        OrderInput,
        ...ATTRIBUTE_KINDS.map(attributeWhere),
        ...kinds.map(kind => this.wheres.type(kind.kind)),
        ...types.all(),
        ...ofKinds.types,
        ...more.flatMap(({query, mutation}) => [...typesOf(query), ...typesOf(mutation)]),
      ],
      directives: DIRECTIVES,
      assumeValid: true,
    });
    opening.open();
  }

  /** The schema in the schema definition language. */
  sdl(): string {
    this.#sdl ??= printSchema(this.graphql);
    return this.#sdl;
  }
}

/** The types that root fields name; theirs are found from them. */
function typesOf(fields: Fields): GraphQLNamedType[] {
  return Object.values(fields).flatMap(({type, args}) => [
    getNamedType(type),
    ...Object.values(args ?? {}).map(argument => getNamedType(argument.type)),
  ]);
}

type Fields = GraphQLFieldConfigMap<unknown, FieldContext>;

function kindQueries(kinds: readonly KindSchema[], types: KindTypeBook): Fields {
  const fields: Fields = {};
  for (const kind of kinds) {
    fields[kind.kind] = {
      type: types.of(kind.kind).paginated,
      description: kind.description,
      extensions: {meaning: {is: 'list', kind: kind.kind} satisfies Meaning},
    };
  }
  return fields;
}

function accountQuery(schema: Schema, types: KindTypeBook): Fields {
  if (!schema.generics.has('CoreGenericAccount')) return {};
  return {
    AccountProfile: {
      type: types.of('CoreGenericAccount').node as GraphQLObjectType,
      description: 'The account of the caller.',
      extensions: {meaning: {is: 'caller'} satisfies Meaning},
    },
  };
}
