import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {KindSchema, Schema} from '../../../domain/schema/schema.ts';
import type {FieldContext} from '../engine.ts';
import type {KindTypeBook} from '../types/kind-types.ts';
import {LazyObjectType} from '../types/lazy-types.ts';
import {ContextInput, DeleteInput, KindInputs} from './kind-inputs.ts';
import type {MutationMeaning} from './mutation-meaning.ts';

type Fields = GraphQLFieldConfigMap<unknown, FieldContext>;

const ok = {type: GraphQLBoolean};

const deleted = {
  ok,
  deleted_ids: {
    type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
    description: 'The object and what went with it.',
  },
};

const DeleteMany = new GraphQLObjectType({
  name: 'DeleteMany',
  fields: {...deleted, count: {type: GraphQLInt, description: 'How many of the named objects went.'}},
});

/** The mutations of every kind that people may write, and every type they need. */
export function kindMutations(
  schema: Schema,
  kinds: readonly KindSchema[],
  types: KindTypeBook,
): {readonly fields: Fields; readonly types: readonly GraphQLNamedType[]} {
  const inputs = new KindInputs(schema, types.opening);
  const fields: Fields = {};
  for (const kind of kinds) {
    if (kind.type !== 'generic') Object.assign(fields, ofConcrete(kind, inputs, types));
    else if (kind.fields.size > 0) Object.assign(fields, ofGeneric(kind, inputs, types));
  }
  const payloads = Object.values(fields).map(field => field.type as GraphQLObjectType);
  return {fields, types: [...new Set(payloads), ...inputs.all()]};
}

function ofGeneric({kind}: KindSchema, inputs: KindInputs, types: KindTypeBook): Fields {
  return {[`${kind}Update`]: changing(kind, 'update', `${kind}Update`, inputs.update(kind), types)};
}

function ofConcrete({kind}: KindSchema, inputs: KindInputs, types: KindTypeBook): Fields {
  const [create, update, upsert] = [inputs.create(kind), inputs.update(kind), inputs.upsert(kind)];
  const deletePayload = new LazyObjectType(types.opening, {name: `${kind}Delete`, fields: deleted});
  const many = new LazyObjectType(types.opening, {
    name: `${kind}Many`,
    fields: () => ({
      ok,
      count: {type: GraphQLInt},
      objects: {
        type: new GraphQLList(types.of(kind).node),
        description: 'In the order of the rows.',
      },
    }),
  });
  return {
    [`${kind}Create`]: changing(kind, 'create', `${kind}Create`, create, types),
    [`${kind}Update`]: changing(kind, 'update', `${kind}Update`, update, types),
    [`${kind}Upsert`]: changing(kind, 'upsert', `${kind}Upsert`, upsert, types),
    [`${kind}Delete`]: {
      type: deletePayload,
      args: argsWith(new GraphQLNonNull(DeleteInput)),
      extensions: meaning('delete', kind),
    },
    [`${kind}CreateMany`]: {
      type: many,
      args: argsWith(rows(create)),
      extensions: meaning('createMany', kind),
    },
    [`${kind}UpsertMany`]: {
      type: many,
      args: argsWith(rows(upsert)),
      extensions: meaning('upsertMany', kind),
    },
    [`${kind}DeleteMany`]: {
      type: DeleteMany,
      args: argsWith(rows(DeleteInput)),
      extensions: meaning('deleteMany', kind),
    },
  };
}

function changing(
  kind: string,
  verb: 'create' | 'update' | 'upsert',
  name: string,
  input: GraphQLInputType,
  types: KindTypeBook,
): Fields[string] {
  return {
    type: new LazyObjectType(types.opening, {
      name,
      fields: () => ({ok, object: {type: types.of(kind).node}}),
    }),
    args: argsWith(new GraphQLNonNull(input)),
    extensions: meaning(verb, kind),
  };
}

const rows = (input: GraphQLInputType): GraphQLInputType =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(input)));

const COMMON: GraphQLFieldConfigArgumentMap = {
  context: {type: ContextInput},
  dry_run: {type: GraphQLBoolean, description: 'Answers what would happen and changes nothing.'},
};

const argsWith = (data: GraphQLInputType): GraphQLFieldConfigArgumentMap => ({data: {type: data}, ...COMMON});

const meaning = (verb: MutationMeaning['verb'], kind: string): {mutation: MutationMeaning} => ({
  mutation: {verb, kind},
});
