import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {EdgeRecord, NodeRecord} from '../../../domain/graph/node.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import {encodeCursor} from '../cursor.ts';
import {author, type Listing, leaf, lookup} from '../meaning.ts';
import {seenUpdatedAt} from '../seen-instants.ts';
import type {LineageTypes} from './attribute-types.ts';
import {LazyObjectType, type Opening} from './lazy-types.ts';
import {DateTimeScalar} from './scalars.ts';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const endCursor = (listing: Listing, place: 0 | -1): string | null => {
  const found = listing.page.found.at(place);
  return found === undefined ? null : encodeCursor(found.cursor, listing.orderTag);
};

export const PageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: {
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      extensions: leaf<Listing>(({page}) => page.hasMore),
    },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      extensions: leaf<Listing>(({hasPrevious}) => hasPrevious),
    },
    startCursor: {type: GraphQLString, extensions: leaf<Listing>(listing => endCursor(listing, 0))},
    endCursor: {type: GraphQLString, extensions: leaf<Listing>(listing => endCursor(listing, -1))},
  },
});

export interface MetadataTypes {
  readonly properties: GraphQLObjectType;
  readonly node: GraphQLObjectType;
  readonly relationship: GraphQLObjectType;
}

export function metadataTypes(opening: Opening, lineage: () => LineageTypes): MetadataTypes {
  return {
    properties: new LazyObjectType(opening, {
      name: 'RelationshipProperty',
      fields: () => relationshipProperties(lineage()),
    }),
    node: new LazyObjectType(opening, {
      name: 'InfrahubNodeMetadata',
      fields: () => ({
        created_at: {
          type: DateTimeScalar,
          extensions: leaf<NodeRecord>(({createdAt}) => formatInstant(createdAt)),
        },
        updated_at: {
          type: DateTimeScalar,
          extensions: leaf<NodeRecord>((node, scope) => formatInstant(seenUpdatedAt(node, scope))),
        },
        ...authors<NodeRecord>(lineage(), ({createdAt}) => createdAt, seenUpdatedAt),
      }),
    }),
    relationship: new LazyObjectType(opening, {
      name: 'InfrahubRelationshipMetadata',
      fields: () => ({
        created_at: {
          type: DateTimeScalar,
          extensions: leaf<EdgeRecord>(({updatedAt}) => formatInstant(updatedAt)),
        },
        updated_at: {
          type: DateTimeScalar,
          extensions: leaf<EdgeRecord>(({updatedAt}) => formatInstant(updatedAt)),
        },
        ...authors<EdgeRecord>(
          lineage(),
          ({updatedAt}) => updatedAt,
          ({updatedAt}) => updatedAt,
        ),
      }),
    }),
  };
}

function relationshipProperties({source, owner}: LineageTypes): Fields {
  const fields: Fields = {
    is_protected: {
      type: GraphQLBoolean,
      extensions: leaf<EdgeRecord>(({properties}) => properties.isProtected),
    },
    is_visible: {type: GraphQLBoolean, extensions: leaf<EdgeRecord>(({properties}) => properties.isVisible)},
    updated_at: {
      type: DateTimeScalar,
      extensions: leaf<EdgeRecord>(({updatedAt}) => formatInstant(updatedAt)),
    },
  };
  if (source !== undefined) {
    fields.source = {
      type: source,
      extensions: lookup<EdgeRecord>('LineageSource', ({properties}) => properties.source),
    };
  }
  if (owner !== undefined) {
    fields.owner = {
      type: owner,
      extensions: lookup<EdgeRecord>('LineageOwner', ({properties}) => properties.owner),
    };
  }
  return fields;
}

type InstantOf<Source> = Parameters<typeof author<Source>>[0];

function authors<Source>(
  {account}: LineageTypes,
  created: InstantOf<Source>,
  updated: InstantOf<Source>,
): Fields {
  if (account === undefined) return {};
  return {
    created_by: {type: account, extensions: author<Source>(created)},
    updated_by: {type: account, extensions: author<Source>(updated)},
  };
}
