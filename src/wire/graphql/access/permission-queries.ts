import {
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {AccessServices} from '../../../app/access/access-services.ts';
import {ANONYMOUS_ROLE} from '../../../app/access/identify.ts';
import type {Permissions} from '../../../app/access/permissions-of.ts';
import {globalIdentifier, objectIdentifier} from '../../../domain/access/grants.ts';
import type {FieldContext} from '../engine.ts';
import {connectionOf} from './connection.ts';

const required = {type: new GraphQLNonNull(GraphQLString)};
const common = {
  id: required,
  description: {type: GraphQLString},
  display_label: required,
  action: required,
  decision: {type: new GraphQLNonNull(GraphQLInt)},
  identifier: required,
};

const GlobalPermissionNode = new GraphQLObjectType({
  name: 'GlobalPermissionNode',
  fields: {...common, name: required},
});

const ObjectPermissionRecord = new GraphQLObjectType({
  name: 'ObjectPermissionRecord',
  fields: {
    ...common,
    namespace: required,
    name: required,
    attribute: {...required, description: 'The one attribute it is about; empty: the whole object.'},
  },
});

const OwnPermissions = new GraphQLObjectType({
  name: 'ServicePermissions',
  fields: {
    global_permissions: {type: connectionOf(GlobalPermissionNode)},
    object_permissions: {type: connectionOf(ObjectPermissionRecord)},
  },
});

/** What the caller's roles give and take, as it is recorded. */
export function permissionQueries(deps: AccessServices): GraphQLFieldConfigMap<unknown, FieldContext> {
  async function permissionsOf({caller}: FieldContext): Promise<Permissions> {
    if (caller.account === null) return (await deps.standings.ofRole(ANONYMOUS_ROLE)).permissions;
    return (await deps.standings.of(caller.account))?.permissions ?? {global: [], object: []};
  }
  return {
    ServicePermissions: {
      type: new GraphQLNonNull(OwnPermissions),
      async resolve(_source, _args, context) {
        const {global, object} = await permissionsOf(context);
        return {
          global_permissions: listed(
            global.map(each => ({...each, name: each.action, identifier: globalIdentifier(each)})),
          ),
          object_permissions: listed(object.map(each => ({...each, identifier: objectIdentifier(each)}))),
        };
      },
    },
  };
}

function listed<Node extends {readonly identifier: string}>(nodes: readonly Node[]) {
  const edges = nodes.map(node => ({node: {...node, display_label: node.identifier}}));
  return {count: nodes.length, edges};
}
