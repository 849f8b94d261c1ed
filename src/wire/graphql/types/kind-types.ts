import {
  type GraphQLArgument,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import type {Found} from '../../../ports/graph-store.ts';
import {encodeCursor} from '../cursor.ts';
import {historyField, historyType} from '../history/history-field.ts';
import {
  type AttributeSource,
  type Listing,
  leaf,
  type Meaning,
  object,
  type PeersMeaning,
} from '../meaning.ts';
import {seenUpdatedAt} from '../seen-instants.ts';
import {ATTRIBUTE_FACES, type OutputName} from './attribute-kinds.ts';
import {attributeTypes, type LineageTypes} from './attribute-types.ts';
import {LazyInterfaceType, LazyObjectType, type Opening} from './lazy-types.ts';
import {type MetadataTypes, metadataTypes, PageInfo} from './metadata-types.ts';
import {PERMISSION_TYPES, permissionsField} from './permissions.ts';
import {DateTimeScalar} from './scalars.ts';
import {hierarchyOf, interfacesOf, shownRelationships} from './shown-fields.ts';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

/** The source of an edge: what was found, nothing at the end of an unset to-one, and in which order. */
export interface EdgeSource {
  readonly found: Found | undefined;
  readonly orderTag: string;
}

/** The output types of one kind. */
export interface KindTypes {
  readonly node: GraphQLObjectType | GraphQLInterfaceType;
  readonly edged: GraphQLObjectType;
  readonly paginated: GraphQLObjectType;
  readonly nestedEdged: GraphQLObjectType;
  readonly nestedPaginated: GraphQLObjectType;
}

/** Arguments of a list of related objects, by the kind it yields. */
export type NestedArguments = (peer: string, hasDescendants: boolean) => readonly GraphQLArgument[];

/** Every output type of a schema, made when first asked for. */
export class KindTypeBook {
  readonly opening: Opening;
  readonly #schema: Schema;
  readonly #nestedArguments: NestedArguments;
  readonly #attributes: Readonly<Record<OutputName, GraphQLObjectType>>;
  readonly #metadata: MetadataTypes;
  readonly #history: ReturnType<typeof historyType>;
  readonly #kinds = new Map<string, KindTypes>();

  constructor(schema: Schema, opening: Opening, nestedArguments: NestedArguments) {
    this.opening = opening;
    this.#schema = schema;
    this.#nestedArguments = nestedArguments;
    const lineage = (): LineageTypes => ({
      source: this.#nodeIfThere('LineageSource'),
      owner: this.#nodeIfThere('LineageOwner'),
      account: this.#nodeIfThere('CoreGenericAccount'),
    });
    this.#attributes = attributeTypes(opening, lineage);
    this.#metadata = metadataTypes(opening, lineage);
    this.#history = historyType(opening, () => lineage().account);
  }

  of(name: string): KindTypes {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const types = this.#make(must(kindOf(this.#schema, name), `the kind ${name}`));
    this.#kinds.set(name, types);
    return types;
  }

  /** Every type that was made. */
  all(): readonly GraphQLNamedType[] {
    const ofKinds = [...this.#kinds.values()].flatMap(types => Object.values(types) as GraphQLNamedType[]);
    return [
      ...ofKinds,
      ...Object.values(this.#attributes),
      ...Object.values(this.#metadata),
      ...this.#history,
      ...PERMISSION_TYPES,
      PageInfo,
    ];
  }

  #nodeIfThere(name: string): GraphQLOutputType | undefined {
    return this.#schema.generics.has(name) ? this.of(name).node : undefined;
  }

  #make(kind: KindSchema): KindTypes {
    const node = this.#node(kind);
    const edged = new LazyObjectType(this.opening, {
      name: `Edged${kind.kind}`,
      fields: () => ({...edgeFields(node), node_metadata: this.#nodeMetadata()}),
    });
    const nestedEdged = new LazyObjectType(this.opening, {
      name: `NestedEdged${kind.kind}`,
      fields: () => ({
        ...edgeFields(node),
        properties: {
          type: this.#metadata.properties,
          extensions: object<EdgeSource>(({found}) => found?.edge ?? null),
        },
        node_metadata: this.#nodeMetadata(),
        relationship_metadata: {
          type: this.#metadata.relationship,
          extensions: object<EdgeSource>(({found}) => found?.edge ?? null),
        },
      }),
    });
    return {
      node,
      edged,
      nestedEdged,
      paginated: this.#connection(`Paginated${kind.kind}`, edged),
      nestedPaginated: this.#connection(`NestedPaginated${kind.kind}`, nestedEdged),
    };
  }

  #connection(name: string, edge: GraphQLObjectType): GraphQLObjectType {
    return new LazyObjectType(this.opening, {
      name,
      fields: () => ({
        count: {
          type: new GraphQLNonNull(GraphQLInt),
          extensions: leaf<Listing>(({page}) => page.count ?? null),
        },
        edges: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))),
          extensions: object<Listing>(({page, orderTag}): readonly EdgeSource[] =>
            page.found.map(found => ({found, orderTag})),
          ),
        },
        permissions: permissionsField,
        pageInfo: {type: new GraphQLNonNull(PageInfo), extensions: object<Listing>(listing => listing)},
      }),
    });
  }

  #nodeMetadata() {
    return {
      type: this.#metadata.node,
      extensions: object<EdgeSource>(({found}) => found?.node ?? null),
    };
  }

  #node(kind: KindSchema): GraphQLObjectType | GraphQLInterfaceType {
    const common = {name: kind.kind, description: kind.description};
    const table = () => this.#argumentTable(kind);
    if (kind.type === 'generic') {
      return new LazyInterfaceType(
        this.opening,
        {
          ...common,
          fields: () => this.#nodeFields(kind),
          resolveType: source => (source as Found).node.kind,
        },
        table,
      );
    }
    return new LazyObjectType(
      this.opening,
      {
        ...common,
        interfaces: () =>
          interfacesOf(this.#schema, kind).map(name => this.of(name).node as GraphQLInterfaceType),
        fields: () => this.#nodeFields(kind),
      },
      table,
    );
  }

  #nodeFields(kind: KindSchema): Fields {
    const fields: Fields = {
      id: {type: new GraphQLNonNull(GraphQLString), extensions: leaf<Found>(({node}) => node.id)},
      hfid: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        extensions: {meaning: {is: 'label', label: 'hfid'} satisfies Meaning},
      },
      display_label: {
        type: GraphQLString,
        extensions: {meaning: {is: 'label', label: 'display_label'} satisfies Meaning},
      },
      _updated_at: {
        type: DateTimeScalar,
        deprecationReason: 'Use node_metadata.',
        extensions: leaf<Found>(({node}, scope) => formatInstant(seenUpdatedAt(node, scope))),
      },
    };
    for (const attribute of kind.attributes) {
      fields[attribute.name] = {
        type: this.#attributes[ATTRIBUTE_FACES[attribute.kind].output],
        description: attribute.description,
        deprecationReason: attribute.deprecation,
        extensions: object<Found>(({node}, {schema, view}): AttributeSource | null => {
          if (!view.showsAttribute(node.kind, attribute.name)) return null;
          const own = kindOf(schema, node.kind)?.fields.get(attribute.name);
          return own?.is === 'attribute' ? {node, attribute: own} : null;
        }),
      };
    }
    for (const {relationship, peer} of shownRelationships(this.#schema, kind)) {
      const types = this.of(peer);
      const isOne = relationship.cardinality === 'one';
      fields[relationship.name] = {
        type: new GraphQLNonNull(isOne ? types.nestedEdged : types.nestedPaginated),
        description: relationship.description,
        deprecationReason: relationship.deprecation,
        extensions: peers({relationship: relationship.name, peer, isOne, isTransitive: false}),
      };
    }
    fields.history = historyField(this.#history[0]);
    return {...fields, ...this.#hierarchyFields(kind)};
  }

  #hierarchyFields(kind: KindSchema): Fields {
    const hierarchy = hierarchyOf(kind);
    if (hierarchy === null) return {};
    const types = this.of(hierarchy);
    const many = new GraphQLNonNull(types.nestedPaginated);
    const way = (relationship: string, isOne: boolean, isTransitive: boolean) =>
      peers({relationship, peer: hierarchy, isOne, isTransitive});
    return {
      parent: {type: new GraphQLNonNull(types.nestedEdged), extensions: way('parent', true, false)},
      children: {type: many, extensions: way('children', false, false)},
      ancestors: {type: many, extensions: way('parent', false, true)},
      descendants: {type: many, extensions: way('children', false, true)},
    };
  }

  #argumentTable(kind: KindSchema): ReadonlyMap<string, () => readonly GraphQLArgument[]> {
    const hierarchy = hierarchyOf(kind);
    const table = new Map<string, () => readonly GraphQLArgument[]>();
    for (const {relationship, peer} of shownRelationships(this.#schema, kind)) {
      if (relationship.cardinality === 'one') continue;
      table.set(relationship.name, () => this.#nestedArguments(peer, hierarchy !== null));
    }
    if (hierarchy !== null) {
      for (const name of ['children', 'ancestors', 'descendants']) {
        table.set(name, () => this.#nestedArguments(hierarchy, false));
      }
    }
    return table;
  }
}

const peers = (meaning: Omit<PeersMeaning, 'is'>): {meaning: Meaning} => ({
  meaning: {is: 'peers', ...meaning},
});

const edgeFields = (node: GraphQLOutputType): Fields => ({
  node: {type: node, extensions: object<EdgeSource>(({found}) => found ?? null)},
  cursor: {
    type: GraphQLString,
    extensions: leaf<EdgeSource>(({found, orderTag}) =>
      found === undefined ? null : encodeCursor(found.cursor, orderTag),
    ),
  },
});
