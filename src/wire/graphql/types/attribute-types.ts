import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type {Json} from '../../../base/json.ts';
import {
  dropdownParts,
  ipHostParts,
  ipNetworkParts,
  macAddressParts,
} from '../../../domain/attribute/parts.ts';
import type {AttributeState} from '../../../domain/graph/node.ts';
import {formatInstant} from '../../../domain/time/instant.ts';
import {type AttributeSource, author, leaf, lookup, stateOf, storedValue} from '../meaning.ts';
import {ATTRIBUTE_FACES, type OutputName} from './attribute-kinds.ts';
import {LazyObjectType, type Opening} from './lazy-types.ts';
import {attributePermissionsField} from './permissions.ts';
import {BigIntScalar, DateTimeScalar} from './scalars.ts';

type Field = GraphQLFieldConfig<unknown, unknown>;
type Fields = GraphQLFieldConfigMap<unknown, unknown>;

/** The interfaces that attributes lead to; a schema without them has attributes without those fields. */
export interface LineageTypes {
  readonly source: GraphQLOutputType | undefined;
  readonly owner: GraphQLOutputType | undefined;
  readonly account: GraphQLOutputType | undefined;
}

const state = (
  type: GraphQLOutputType,
  read: (state: AttributeState, source: AttributeSource) => Json,
): Field => ({
  type,
  extensions: leaf<AttributeSource>(source => {
    const found = stateOf(source);
    return found === undefined ? null : read(found, source);
  }),
});

const PLAIN_FIELDS: Fields = {
  is_default: state(GraphQLBoolean, ({isDefault}) => isDefault),
  is_from_profile: state(GraphQLBoolean, ({isFromProfile}) => isFromProfile),
  is_inherited: {
    type: GraphQLBoolean,
    extensions: leaf<AttributeSource>(({attribute}) => attribute.inherited),
  },
  is_protected: state(GraphQLBoolean, ({isProtected}) => isProtected),
  is_visible: state(GraphQLBoolean, ({isVisible}) => isVisible),
  updated_at: state(DateTimeScalar, ({updatedAt}) => formatInstant(updatedAt)),
};

/** A part of a value that has one; null of null. */
const part = <Parts extends object>(
  type: GraphQLOutputType,
  partsOf: (value: string) => Parts,
  name: keyof Parts,
): Field => ({
  type,
  extensions: leaf<AttributeSource>(source => {
    const value = storedValue(source);
    return typeof value === 'string' ? (partsOf(value)[name] as Json) : null;
  }),
});

const choice = (name: 'label' | 'color' | 'description'): Field => ({
  type: GraphQLString,
  extensions: leaf<AttributeSource>(
    source => dropdownParts(storedValue(source), source.attribute.choices ?? [])[name],
  ),
});

const MASKS = ['hostmask', 'netmask', 'with_hostmask', 'with_netmask'] as const;
const MAC_TEXTS = [
  'oui',
  'ei',
  'binary',
  'eui48',
  'eui64',
  'bare',
  'dot_notation',
  'semicolon_notation',
  'split_notation',
] as const;

const MORE_FIELDS: Readonly<Record<OutputName, Fields>> = {
  TextAttribute: {},
  NumberAttribute: {},
  CheckboxAttribute: {},
  ListAttribute: {},
  JSONAttribute: {},
  AnyAttribute: {},
  Dropdown: {label: choice('label'), color: choice('color'), description: choice('description')},
  MacAddress: {
    ...Object.fromEntries(MAC_TEXTS.map(name => [name, part(GraphQLString, macAddressParts, name)])),
    version: part(GraphQLInt, macAddressParts, 'version'),
  },
  IPHost: {
    ip: part(GraphQLString, ipHostParts, 'ip'),
    ...Object.fromEntries(MASKS.map(name => [name, part(GraphQLString, ipHostParts, name)])),
    prefixlen: part(GraphQLInt, ipHostParts, 'prefixlen'),
    version: part(GraphQLInt, ipHostParts, 'version'),
  },
  IPNetwork: {
    broadcast_address: part(GraphQLString, ipNetworkParts, 'broadcast_address'),
    ...Object.fromEntries(MASKS.map(name => [name, part(GraphQLString, ipNetworkParts, name)])),
    prefixlen: part(GraphQLInt, ipNetworkParts, 'prefixlen'),
    num_addresses: part(BigIntScalar, ipNetworkParts, 'num_addresses'),
    version: part(GraphQLInt, ipNetworkParts, 'version'),
  },
};

/** The output types of attributes, by name. */
export function attributeTypes(
  opening: Opening,
  lineage: () => LineageTypes,
): Readonly<Record<OutputName, GraphQLObjectType>> {
  const common = new GraphQLInterfaceType({
    name: 'AttributeInterface',
    description: 'What every attribute shows beside its value.',
    fields: Object.fromEntries(Object.entries(PLAIN_FIELDS).map(([name, {type}]) => [name, {type}])),
    resolveType: source => ATTRIBUTE_FACES[(source as AttributeSource).attribute.kind].output,
  });
  const values = Object.values(ATTRIBUTE_FACES).map(face => [face.output, face.value] as const);
  const types = [...new Map(values)].map(([name, value]) => {
    const type = new LazyObjectType(opening, {
      name,
      interfaces: [common],
      fields: () => ({
        id: {
          type: GraphQLString,
          extensions: leaf<AttributeSource>(({node, attribute}) => `${node.id}:${attribute.name}`),
        },
        value: {type: value, extensions: leaf<AttributeSource>(storedValue)},
        ...PLAIN_FIELDS,
        ...lineageFields(lineage()),
        permissions: attributePermissionsField,
        ...MORE_FIELDS[name],
      }),
    });
    return [name, type] as const;
  });
  return Object.fromEntries(types) as Record<string, GraphQLObjectType> as Record<
    OutputName,
    GraphQLObjectType
  >;
}

function lineageFields({source, owner, account}: LineageTypes): Fields {
  const fields: Fields = {};
  if (source !== undefined) {
    fields.source = {
      type: source,
      extensions: lookup<AttributeSource>('LineageSource', from => stateOf(from)?.source ?? null),
    };
  }
  if (owner !== undefined) {
    fields.owner = {
      type: owner,
      extensions: lookup<AttributeSource>('LineageOwner', from => stateOf(from)?.owner ?? null),
    };
  }
  if (account !== undefined) {
    fields.updated_by = {
      type: account,
      extensions: author<AttributeSource>(from => stateOf(from)?.updatedAt ?? from.node.updatedAt),
    };
  }
  return fields;
}
