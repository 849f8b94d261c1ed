import {GraphQLBoolean, GraphQLID} from 'graphql';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {AttributeSchema, KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {hierarchyOf, type ShownRelationship, shownRelationships} from '../types/shown-fields.ts';
import {anyFilters, metadataFilters, operatorFilter, operatorsOf, scalarList} from './attribute-filters.ts';
import {type Filter, type Filters, not} from './filter.ts';
import {nodeIds} from './ids.ts';
import {labelAttribute} from './label-attribute.ts';
import {nodeMetadataFilters} from './node-metadata-filters.ts';

const idsFilter: Filter = {
  type: scalarList(GraphQLID),
  signature: '',
  condition: value => ({is: 'id', in: nodeIds(value as readonly unknown[])}),
};

/** The filters of a list of the kind's objects at the top. */
export function rootFilters(schema: Schema, kind: KindSchema): Filters {
  const filters = new Map<string, Filter>([['ids', idsFilter]]);
  for (const attribute of kind.attributes) {
    addOperators(filters, attribute.name, attribute, true);
    addMetadata(filters, attribute.name, attribute);
  }
  for (const [name, filter] of anyFilters()) filters.set(name, filter);
  addLabel(filters, 'display_label', kind, true);
  for (const shown of shownRelationships(schema, kind)) addRelationship(filters, schema, kind, shown);
  for (const [name, filter] of nodeMetadataFilters) filters.set(name, filter);
  return filters;
}

/** The filters of a list of related objects of the kind. */
export function nestedFilters(kind: KindSchema): Filters {
  const filters = new Map<string, Filter>([['ids', idsFilter]]);
  for (const attribute of kind.attributes) {
    addOperators(filters, attribute.name, attribute, true);
    addMetadata(filters, attribute.name, attribute);
  }
  addLabel(filters, 'display_label', kind, true);
  return filters;
}

function addOperators(
  filters: Map<string, Filter>,
  prefix: string,
  attribute: AttributeSchema,
  hasAll: boolean,
): void {
  filters.set(`${prefix}__value`, operatorFilter(attribute, 'value'));
  filters.set(`${prefix}__values`, operatorFilter(attribute, 'values'));
  if (!hasAll) return;
  filters.set(`${prefix}__isnull`, operatorFilter(attribute, 'isnull'));
  for (const operator of operatorsOf(attribute.kind)) {
    filters.set(`${prefix}__${operator}`, operatorFilter(attribute, operator));
  }
}

function addMetadata(filters: Map<string, Filter>, prefix: string, attribute: AttributeSchema): void {
  for (const [suffix, filter] of metadataFilters(attribute.name)) filters.set(`${prefix}__${suffix}`, filter);
}

function addLabel(filters: Map<string, Filter>, prefix: string, kind: KindSchema, hasNull: boolean): void {
  const attribute = labelAttribute(kind);
  if (attribute === undefined) return;
  filters.set(`${prefix}__value`, operatorFilter(attribute, 'value'));
  filters.set(`${prefix}__values`, operatorFilter(attribute, 'values'));
  if (hasNull) filters.set(`${prefix}__isnull`, operatorFilter(attribute, 'isnull'));
}

function addRelationship(
  filters: Map<string, Filter>,
  schema: Schema,
  kind: KindSchema,
  {relationship, peer: peerName}: ShownRelationship,
): void {
  const {name} = relationship;
  const isUpward = name === 'parent' && hierarchyOf(kind) !== null;
  const peer = kindOf(schema, peerName);
  if (peer === undefined) return;
  filters.set(`${name}__isnull`, {
    type: GraphQLBoolean,
    signature: name,
    condition(value) {
      const related = {is: 'related', relationship: name} as const;
      return value === true ? not(related) : related;
    },
  });
  const ofPeer = new Map<string, Filter>([['ids', idsFilter]]);
  for (const attribute of peer.attributes) {
    addOperators(ofPeer, attribute.name, attribute, false);
    if (relationship.kind !== 'Group') addMetadata(ofPeer, attribute.name, attribute);
  }
  addLabel(ofPeer, 'display_label', peer, true);
  for (const [suffix, filter] of ofPeer) filters.set(`${name}__${suffix}`, through(name, filter, isUpward));
}

/** In a hierarchy, what is asked of the parent may be true of any object above. */
function through(relationship: string, filter: Filter, isUpward: boolean): Filter {
  return {
    type: filter.type,
    signature: `${relationship} ${filter.signature}`,
    condition(value, options) {
      const where = filter.condition(value, options);
      if (where === undefined) return undefined;
      const related = {is: 'related', relationship, where} as const;
      return isUpward ? {...related, transitive: options.hierarchyDepthMax} : related;
    },
  };
}
