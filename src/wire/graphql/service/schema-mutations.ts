import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {
  addDropdownChoice,
  addEnumMember,
  removeDropdownChoice,
  removeEnumMember,
} from '../../../app/schema/change-choices.ts';
import type {FieldContext} from '../engine.ts';

const required = {type: new GraphQLNonNull(GraphQLString)};
const optional = {type: GraphQLString};
const ok = {type: GraphQLBoolean};

const DropdownChoice = new GraphQLObjectType({
  name: 'DropdownFields',
  fields: {value: optional, label: optional, color: optional, description: optional},
});

interface Given {
  readonly kind: string;
  readonly attribute: string;
  readonly dropdown: string;
  readonly enum: string;
  readonly color?: string | null;
  readonly label?: string | null;
  readonly description?: string | null;
}

type Field = GraphQLFieldConfig<unknown, FieldContext>;

function field(
  name: string,
  member: GraphQLInputFieldConfigMap,
  type: GraphQLObjectType,
  run: (context: FieldContext, data: Given) => Promise<object>,
): Field {
  const input = new GraphQLInputObjectType({
    name: `${name}Input`,
    fields: {kind: required, attribute: required, ...member},
  });
  return {
    type,
    args: {data: {type: new GraphQLNonNull(input)}},
    resolve: (_, args, context) => run(context, args.data as Given),
  };
}

const payload = (name: string) => new GraphQLObjectType({name, fields: {ok}});

const on = ({branch}: FieldContext, {kind, attribute}: Given) => ({branch, kind, attribute});

/** Choices and enum members, one at a time, on the branch of the request. */
export const schemaMutations: GraphQLFieldConfigMap<unknown, FieldContext> = {
  SchemaDropdownAdd: field(
    'SchemaDropdownAdd',
    {dropdown: required, color: optional, label: optional, description: optional},
    new GraphQLObjectType({name: 'SchemaDropdownAdd', fields: {ok, object: {type: DropdownChoice}}}),
    async (context, data) => {
      const {dropdown, color, label, description} = data;
      const choice = {
        name: dropdown,
        ...(color ? {color} : {}),
        ...(label ? {label} : {}),
        ...(description ? {description} : {}),
      };
      const added = await addDropdownChoice(context.services, context.caller, {...on(context, data), choice});
      const {name: value, ...shown} = added;
      return {ok: true, object: {value, ...shown}};
    },
  ),
  SchemaDropdownRemove: field(
    'SchemaDropdownRemove',
    {dropdown: required},
    payload('SchemaDropdownRemove'),
    async (context, data) => {
      const request = {...on(context, data), choice: data.dropdown};
      await removeDropdownChoice(context.services, context.caller, request);
      return {ok: true};
    },
  ),
  SchemaEnumAdd: field('SchemaEnumAdd', {enum: required}, payload('SchemaEnumAdd'), async (context, data) => {
    await addEnumMember(context.services, context.caller, {...on(context, data), member: data.enum});
    return {ok: true};
  }),
  SchemaEnumRemove: field(
    'SchemaEnumRemove',
    {enum: required},
    payload('SchemaEnumRemove'),
    async (context, data) => {
      await removeEnumMember(context.services, context.caller, {...on(context, data), member: data.enum});
      return {ok: true};
    },
  ),
};
