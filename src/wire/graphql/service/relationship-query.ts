import {
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import {validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {concreteKinds} from '../../../domain/schema/lookup.ts';
import {formatInstant, type Instant} from '../../../domain/time/instant.ts';
import type {FieldContext} from '../engine.ts';
import {DateTimeScalar} from '../types/scalars.ts';

const text = {type: GraphQLString};

const RelationshipPeer = new GraphQLObjectType({name: 'RelationshipPeer', fields: {id: text, kind: text}});

const RelationshipNode = new GraphQLObjectType({
  name: 'RelationshipNode',
  fields: {
    id: text,
    identifier: text,
    peers: {type: new GraphQLList(new GraphQLNonNull(RelationshipPeer))},
    updated_at: {type: DateTimeScalar},
    updated_by: {type: GraphQLString, description: 'The id of the account.'},
  },
});

const Relationships = new GraphQLObjectType({
  name: 'Relationships',
  fields: {
    count: {type: new GraphQLNonNull(GraphQLInt)},
    edges: {
      type: new GraphQLNonNull(
        new GraphQLList(
          new GraphQLNonNull(
            new GraphQLObjectType({
              name: 'RelationshipEdge',
              fields: {node: {type: new GraphQLNonNull(RelationshipNode)}},
            }),
          ),
        ),
      ),
    },
  },
});

interface Edge {
  readonly identifier: string;
  readonly peers: readonly {readonly id: NodeId; readonly kind: string}[];
  readonly since: Instant;
}

/** The edges of relationships, by their identifiers, whatever kinds they join. */
export const relationshipQuery: GraphQLFieldConfigMap<unknown, FieldContext> = {
  Relationship: {
    type: new GraphQLNonNull(Relationships),
    args: {
      ids: {type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)))},
      excluded_namespaces: {type: new GraphQLList(GraphQLString)},
      limit: {type: GraphQLInt, defaultValue: 10},
      offset: {type: GraphQLInt, defaultValue: 0},
    },
    async resolve(_source, args, context) {
      const {ids, excluded_namespaces, limit, offset} = args as {
        readonly ids: readonly string[];
        readonly excluded_namespaces?: readonly (string | null)[] | null;
        readonly limit: number | null;
        readonly offset: number | null;
      };
      const [first, size] = [offset ?? 0, limit ?? 10];
      if (first < 0 || size < 0) throw validationError('limit and offset must not be negative');
      const edges = await edgesOf(context, new Set(ids), new Set(excluded_namespaces ?? []));
      const shown = edges.slice(first, first + size);
      const authors = await context.services.store.authors(shown.map(({since}) => since));
      return {
        count: edges.length,
        edges: shown.map(({identifier, peers, since}) => ({
          node: {
            id: `${identifier}:${peers.map(peer => peer.id).join(':')}`,
            identifier,
            peers,
            updated_at: formatInstant(since),
            updated_by: authors.get(since) ?? null,
          },
        })),
      };
    },
  },
};

async function edgesOf(
  {snapshot, schema, view, list}: FieldContext,
  identifiers: ReadonlySet<string>,
  excluded: ReadonlySet<string | null>,
): Promise<readonly Edge[]> {
  const edges = new Map<string, Edge>();
  for (const kind of concreteKinds(schema)) {
    if (kind.namespace === 'Internal' || excluded.has(kind.namespace)) continue;
    for (const relationship of kind.relationships) {
      if (!identifiers.has(relationship.identifier)) continue;
      if (!view.shows(kind.kind)) continue;
      const page = await snapshot.query({
        kind: kind.kind,
        where: {is: 'related', relationship: relationship.name},
        page: {limit: list.limits.pageRowsMax, offset: 0},
        include: [{relationship: relationship.name}],
      });
      for (const {node, included} of page.found) {
        for (const {node: peer, edge} of included[0]?.found ?? []) {
          if (!view.shows(peer.kind)) continue;
          const peers = [node, peer].map(({id, kind: of}) => ({id, kind: of}));
          const ordered = relationship.direction === 'inbound' ? peers.reverse() : peers;
          const name = [node.id, peer.id].sort().join();
          if (edge === undefined || edges.has(`${relationship.identifier} ${name}`)) continue;
          edges.set(`${relationship.identifier} ${name}`, {
            identifier: relationship.identifier,
            peers: ordered,
            since: edge.updatedAt,
          });
        }
      }
    }
  }
  return [...edges.values()].sort((a, b) => a.since - b.since);
}
