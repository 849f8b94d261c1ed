import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import type {ObjectAction} from '../../../domain/access/access.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {type AttributeSource, type Listing, leaf, leafOfCaller, object} from '../meaning.ts';

export const Decision = new GraphQLEnumType({
  name: 'BranchRelativePermissionDecision',
  values: {DENY: {}, ALLOW: {}, ALLOW_DEFAULT: {}, ALLOW_OTHER: {}},
});

function decision(caller: Caller, action: ObjectAction, kind: string): string {
  const allows = (onDefaultBranch: boolean) =>
    caller.access.allows({is: 'object', action, kind, onDefaultBranch});
  const [onDefault, elsewhere] = [allows(true), allows(false)];
  if (onDefault) return elsewhere ? 'ALLOW' : 'ALLOW_DEFAULT';
  return elsewhere ? 'ALLOW_OTHER' : 'DENY';
}

const decisionField = (action: ObjectAction): GraphQLFieldConfig<unknown, unknown> => ({
  type: new GraphQLNonNull(Decision),
  extensions: leafOfCaller<{kind: string}>(({kind}, {caller}) => decision(caller, action, kind)),
});

const ObjectPermission = new GraphQLObjectType({
  name: 'ObjectPermission',
  description: 'What the caller may do with objects of a kind.',
  fields: {
    kind: {type: new GraphQLNonNull(GraphQLString), extensions: leaf<{kind: string}>(({kind}) => kind)},
    view: decisionField('view'),
    create: decisionField('create'),
    update: decisionField('update'),
    delete: decisionField('delete'),
  },
});

const ObjectPermissionNode = new GraphQLObjectType({
  name: 'ObjectPermissionNode',
  fields: {
    node: {type: new GraphQLNonNull(ObjectPermission), extensions: object<{kind: string}>(source => source)},
  },
});

type Kinds = readonly {readonly kind: string}[];

const PaginatedObjectPermission = new GraphQLObjectType({
  name: 'PaginatedObjectPermission',
  fields: {
    count: {type: new GraphQLNonNull(GraphQLInt), extensions: leaf<Kinds>(kinds => kinds.length)},
    edges: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ObjectPermissionNode))),
      extensions: object<Kinds>(kinds => kinds),
    },
  },
});

/** The kind itself and, of a generic, every kind that answers to it. */
function kindsOf(kind: string, schema: Schema): Kinds {
  const names = [kind, ...(schema.generics.get(kind)?.used_by ?? [])];
  return names.map(name => ({kind: name}));
}

export const permissionsField: GraphQLFieldConfig<unknown, unknown> = {
  type: new GraphQLNonNull(PaginatedObjectPermission),
  extensions: object<Listing>(({kind}, {schema}) => kindsOf(kind, schema)),
};

const PermissionType = new GraphQLObjectType({
  name: 'PermissionType',
  fields: {
    update_value: {
      type: Decision,
      extensions: leafOfCaller<AttributeSource>(({node}, {caller}) => decision(caller, 'update', node.kind)),
    },
  },
});

export const attributePermissionsField: GraphQLFieldConfig<unknown, unknown> = {
  type: PermissionType,
  extensions: object<AttributeSource>(source => source),
};

export const PERMISSION_TYPES: readonly GraphQLObjectType[] = [PaginatedObjectPermission, PermissionType];
