import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {FieldContext} from '../engine.ts';

const text = {type: new GraphQLNonNull(GraphQLString)};

const ServiceInfo = new GraphQLObjectType({
  name: 'ServiceInfo',
  fields: {deployment_id: text, version: text},
});

const edges = (node: GraphQLObjectType, name: string) =>
  new GraphQLNonNull(
    new GraphQLList(
      new GraphQLNonNull(
        new GraphQLObjectType({name: `${name}Edge`, fields: {node: {type: new GraphQLNonNull(node)}}}),
      ),
    ),
  );

const Worker = new GraphQLObjectType({
  name: 'ServiceWorker',
  fields: {id: text, active: {type: new GraphQLNonNull(GraphQLBoolean)}, schema_hash: {type: GraphQLString}},
});

const ServiceStatus = new GraphQLObjectType({
  name: 'ServiceStatus',
  fields: {
    summary: {
      type: new GraphQLNonNull(
        new GraphQLObjectType({
          name: 'ServiceStatusSummary',
          fields: {schema_hash_synced: {type: new GraphQLNonNull(GraphQLBoolean)}},
        }),
      ),
    },
    workers: {
      type: new GraphQLNonNull(
        new GraphQLObjectType({
          name: 'ServiceWorkers',
          fields: {edges: {type: edges(Worker, 'ServiceWorker')}},
        }),
      ),
    },
  },
});

/** What the service says of itself. */
export const serviceQueries: GraphQLFieldConfigMap<unknown, FieldContext> = {
  ServiceInfo: {
    type: new GraphQLNonNull(ServiceInfo),
    resolve: (_source, _args, {services}) => ({
      deployment_id: services.store.deploymentId,
      version: services.version,
    }),
  },
  ServiceStatus: {
    type: new GraphQLNonNull(ServiceStatus),
    description: 'The processes that serve this deployment. An embedded service is one.',
    resolve: (_source, _args, {services, schema}) => ({
      summary: {schema_hash_synced: true},
      workers: {
        edges: [{node: {id: services.store.deploymentId, active: true, schema_hash: schema.hash}}],
      },
    }),
  },
};
