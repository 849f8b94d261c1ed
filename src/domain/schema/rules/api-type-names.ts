import {declaredKinds, kindOf} from '../lookup.ts';
import {problem} from '../problem.ts';
import type {Schema} from '../schema.ts';
import {isServiceNamespace} from '../vocabulary.ts';
import type {SchemaRule} from './rule.ts';

/** What the API puts around the name of a kind for the types that it makes of it. */
export const TYPE_PREFIXES = ['Edged', 'NestedEdged', 'Paginated', 'NestedPaginated'] as const;
export const TYPE_SUFFIXES = [
  'Create',
  'CreateInput',
  'Update',
  'UpdateInput',
  'Upsert',
  'UpsertInput',
  'Delete',
  'Many',
  'Where',
] as const;

/** Types of the API that belong to no kind, and are not in a namespace that is closed anyway. */
export const SERVICE_TYPES: ReadonlySet<string> = new Set([
  ...['Any', 'Checkbox', 'List', 'Number', 'Text'].flatMap(name =>
    ['Attribute', 'AttributeCreate', 'AttributeUpdate'].map(part => `${name}${part}`),
  ),
  'AttributeInterface',
  'BigInt',
  'BigIntWhere',
  'BooleanWhere',
  'ConflictDetails',
  'ConflictSelection',
  'ContextAccountInput',
  'ContextInput',
  'DateTime',
  'DateTimeWhere',
  'DeleteInput',
  'DeleteMany',
  'DropdownFields',
  'GenericScalar',
  'GenericScalarWhere',
  'GlobalPermissionNode',
  'GlobalPermissionNodeEdge',
  'GlobalPermissionNodeEdges',
  'HistoryAction',
  'HistoryFieldChange',
  'HistoryPageInfo',
  'IncExclActionFilterOptions',
  'IncExclFilterOptions',
  'IncExclNamespaceFilterOptions',
  'IntWhere',
  'MacAddress',
  'NodeHistory',
  'NodeHistoryCommit',
  'NodeHistoryEdge',
  'NonRequiredBooleanValueField',
  'NonRequiredIntValueField',
  'NonRequiredStringValueField',
  'ObjectPermission',
  'ObjectPermissionNode',
  'ObjectPermissionRecord',
  'ObjectPermissionRecordEdge',
  'ObjectPermissionRecordEdges',
  'OrderByInput',
  'OrderDirection',
  'OrderInput',
  'OrderNodeMetadataInput',
  'PageInfo',
  'PaginatedObjectPermission',
  'PermissionType',
  'RelatedNodeInput',
  'RelationshipAdd',
  'RelationshipCardinality',
  'RelationshipEdge',
  'RelationshipNode',
  'RelationshipNodesInput',
  'RelationshipPeer',
  'RelationshipProperty',
  'RelationshipRemove',
  'RequiredIntValueField',
  'RequiredStringValueField',
  'ResolveDiffConflict',
  'ResolveDiffConflictInput',
  'StatusField',
  'StringWhere',
  'TaskInfo',
]);

/** Kinds that would bring a type of the service a second time, by the type. */
const TAKEN: ReadonlyMap<string, string> = new Map(
  [...SERVICE_TYPES].flatMap(type => [type, ...coreNames(type)].map(kind => [kind, type] as const)),
);

/** No two types of the API have one name: neither two of kinds, nor one of a kind and one of the service. */
export const apiTypeNames: SchemaRule = function* (schema) {
  for (const {kind, namespace} of declaredKinds(schema)) {
    if (isServiceNamespace(namespace)) continue;
    const path = `${kind}.name`;
    const taken = TAKEN.get(kind);
    if (taken !== undefined) {
      const message = `${kind} would bring a second ${taken} to the API, which has one of its own`;
      yield problem(path, `${message}; choose another name`);
    }
    for (const {other, type} of clashes(schema, kind)) {
      yield problem(path, `${kind} and ${other} would both bring ${type} to the API; choose another name`);
    }
  }
};

/** The kinds of which the API makes a type that this one brings too. Two prefixes never clash, nor do two suffixes. */
function* clashes(schema: Schema, kind: string): Iterable<{readonly other: string; readonly type: string}> {
  for (const other of coreNames(kind)) if (kindOf(schema, other) !== undefined) yield {other, type: kind};
  for (const prefix of TYPE_PREFIXES) {
    if (!kind.startsWith(prefix)) continue;
    for (const suffix of TYPE_SUFFIXES) {
      const other = `${kind.slice(prefix.length)}${suffix}`;
      if (kindOf(schema, other) !== undefined) yield {other, type: `${kind}${suffix}`};
    }
  }
}

/** What is left of a name when that which the API puts around names of kinds is taken off. */
function coreNames(name: string): readonly string[] {
  return [
    ...TYPE_PREFIXES.filter(prefix => name.startsWith(prefix)).map(prefix => name.slice(prefix.length)),
    ...TYPE_SUFFIXES.filter(suffix => name.endsWith(suffix)).map(suffix => name.slice(0, -suffix.length)),
  ];
}
