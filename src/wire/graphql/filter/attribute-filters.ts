import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type {Json} from '../../../base/json.ts';
import type {AttributeKind} from '../../../domain/attribute/kinds.ts';
import type {Condition, MetadataTest, Test} from '../../../domain/query/node-query.ts';
import type {AttributeSchema} from '../../../domain/schema/schema.ts';
import {ATTRIBUTE_FACES} from '../types/attribute-kinds.ts';
import {GenericScalar} from '../types/scalars.ts';
import type {Filter} from './filter.ts';
import {nodeIds} from './ids.ts';
import {attributeCondition, COMPARISONS, type Operator, textOf} from './value-test.ts';

/** Which operators make sense for values of a scalar, beside equality. */
export function operatorsOf(kind: AttributeKind): readonly Operator[] {
  const {filter} = ATTRIBUTE_FACES[kind];
  if (filter === GraphQLBoolean || filter === GenericScalar) return [];
  const comparisons: readonly Operator[] = [...(Object.keys(COMPARISONS) as Operator[]), 'between'];
  return filter === GraphQLString ? [...comparisons, 'contains', 'starts_with', 'ends_with'] : comparisons;
}

const listOf = new Map<GraphQLScalarType, GraphQLList<GraphQLScalarType>>();

/** One list type for each scalar. */
export function scalarList(scalar: GraphQLScalarType): GraphQLList<GraphQLScalarType> {
  const list = listOf.get(scalar) ?? new GraphQLList(scalar);
  listOf.set(scalar, list);
  return list;
}

export function operatorType(kind: AttributeKind, operator: Operator): GraphQLInputType {
  const {filter} = ATTRIBUTE_FACES[kind];
  if (operator === 'isnull') return GraphQLBoolean;
  return operator === 'values' || operator === 'between' ? scalarList(filter) : filter;
}

export function operatorFilter({name, kind}: AttributeSchema, operator: Operator): Filter {
  return {
    type: operatorType(kind, operator),
    signature: `${name} ${kind}`,
    condition: (value, {isPartial}) =>
      attributeCondition(name, kind, operator, value, {isPartial, ignoreCase: false}),
  };
}

/** Filters on who answers for a value; `*` stands for any attribute. */
export function metadataFilters(attribute: string): readonly (readonly [suffix: string, filter: Filter])[] {
  const filter = (type: GraphQLInputType, test: (value: unknown) => MetadataTest): Filter => ({
    type,
    signature: attribute,
    condition: (value): Condition => ({is: 'metadata', attribute, test: test(value)}),
  });
  return [
    ['source__id', filter(GraphQLID, value => ({field: 'source', in: nodeIds([value])}))],
    ['owner__id', filter(GraphQLID, value => ({field: 'owner', in: nodeIds([value])}))],
    ['is_protected', filter(GraphQLBoolean, value => ({field: 'isProtected', equals: value === true}))],
    ['is_visible', filter(GraphQLBoolean, value => ({field: 'isVisible', equals: value === true}))],
  ];
}

export function anyFilters(): readonly (readonly [name: string, filter: Filter])[] {
  const filter = (type: GraphQLInputType, values: (value: unknown) => readonly unknown[]): Filter => ({
    type,
    signature: '',
    condition(value, {isPartial}) {
      const tests = values(value).flatMap(item => anyTests(item, isPartial));
      return {is: 'any', of: tests.map((test): Condition => ({is: 'anyAttribute', test}))};
    },
  });
  return [
    ['any__value', filter(GraphQLString, value => [value])],
    ['any__values', filter(scalarList(GraphQLString), value => value as readonly unknown[])],
    ...metadataFilters('*').map(([suffix, made]) => [`any__${suffix}`, made] as const),
  ];
}

/** The text itself, and the number or truth value that it spells. */
function anyTests(value: unknown, isPartial: boolean): readonly Test[] {
  if (value === null || value === undefined) return [];
  const text = textOf(value);
  if (isPartial) return [{op: 'contains', text, ignoreCase: true}];
  const values: Json[] = [text];
  if (text.trim() !== '' && Number.isFinite(Number(text))) values.push(Number(text));
  if (/^(?:true|false)$/i.test(text)) values.push(text.toLowerCase() === 'true');
  return [{op: 'in', values}];
}
