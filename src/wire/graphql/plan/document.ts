import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isCompositeType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type {Variables} from './list-request.ts';

/** A valid document with what its conditions come to: `@skip` and `@include` are decided. */
export interface Reading {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
}

export type Collected = ReadonlyMap<string, readonly FieldNode[]>;

/** The fields that an object of the type answers, by response key, in the order of the answer. */
export function collectFields(
  reading: Reading,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Collected {
  const collected = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  for (const set of sets) collectInto(reading, type, set, collected, visited);
  return collected;
}

function collectInto(
  reading: Reading,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  collected: Map<string, FieldNode[]>,
  visited: Set<string>,
): void {
  for (const selection of set.selections) {
    if (!isWanted(reading, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = responseKey(selection);
      const nodes = collected.get(key);
      if (nodes === undefined) collected.set(key, [selection]);
      else nodes.push(selection);
      continue;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : unvisited(reading, selection.name.value, visited);
    if (fragment === undefined) continue;
    const condition = fragment.typeCondition?.name.value;
    if (condition === undefined || applies(reading.schema, type, condition)) {
      collectInto(reading, type, fragment.selectionSet, collected, visited);
    }
  }
}

function unvisited(reading: Reading, name: string, visited: Set<string>): FragmentDefinitionNode | undefined {
  if (visited.has(name)) return undefined;
  visited.add(name);
  return reading.fragments.get(name);
}

function applies(schema: GraphQLSchema, type: GraphQLObjectType, condition: string): boolean {
  if (condition === type.name) return true;
  const other = schema.getType(condition);
  return isAbstractType(other) && schema.isSubType(other, type);
}

/** Every field below a selection, whatever the type of the object, with the type it is asked of. */
export function* everyField(
  reading: Reading,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): Iterable<{
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly of: GraphQLCompositeType;
}> {
  for (const set of sets) {
    for (const selection of set.selections) {
      if (!isWanted(reading, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = fieldOf(reading.schema, type, selection.name.value);
        if (field !== undefined) yield {node: selection, field, of: type};
        continue;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : reading.fragments.get(selection.name.value);
      if (fragment === undefined) continue;
      const condition = fragment.typeCondition?.name.value;
      const inner = condition === undefined ? type : reading.schema.getType(condition);
      if (isCompositeType(inner)) yield* everyField(reading, inner, [fragment.selectionSet]);
    }
  }
}

export function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === '__typename') return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === '__schema') return SchemaMetaFieldDef;
    if (name === '__type') return TypeMetaFieldDef;
  }
  return 'getFields' in type ? type.getFields()[name] : undefined;
}

export const responseKey = (node: FieldNode): string => node.alias?.value ?? node.name.value;

export const selectionsOf = (nodes: readonly FieldNode[]): readonly SelectionSetNode[] =>
  nodes.flatMap(node => node.selectionSet ?? []);

function isWanted(
  {variables}: Reading,
  node: {readonly directives?: readonly DirectiveNode[] | undefined},
): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, {...variables});
  if (skip?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, {...variables})?.if !== false;
}
