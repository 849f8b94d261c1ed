import fc from 'fast-check';
import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {KindShape, RelationshipShape} from '../../domain/graph/shape.ts';
import type {Condition, MetadataTest, Test} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {ALL_KINDS, numberedId} from '../graph-store-fixtures.ts';
import {people, poolOf} from './values.ts';

const SHAPES = ALL_KINDS.map(record => record.shape);

const ids = fc.array(fc.integer({min: 1, max: 40}).map(numberedId), {maxLength: 4});

function tests(kind: AttributeKind): fc.Arbitrary<Test> {
  const value: fc.Arbitrary<Json> = fc.constantFrom(...poolOf(kind));
  const known = fc.constantFrom(...poolOf(kind).filter(item => item !== null));
  const isNull = fc.constant({op: 'isNull'} as const);
  const isOneOf = fc.record({op: fc.constant('in' as const), values: fc.array(value, {maxLength: 4})});
  if (kind === 'List' || kind === 'JSON') return fc.oneof(isNull, isOneOf);
  return fc.oneof(
    isNull,
    isOneOf,
    fc.record({op: fc.constantFrom('less', 'lessOrEqual', 'greater', 'greaterOrEqual'), value: known}),
    fc.record({
      op: fc.constantFrom('contains', 'startsWith', 'endsWith'),
      text: fc.constantFrom('a', 'A', 'Ä', 'b', '1', 'E', '', '%', '_', '0.0', "'", '\\', ':'),
      ignoreCase: fc.boolean(),
    }),
  );
}

/** An attribute of the kind, under the name it has or had, or one that histories add. */
function onAttribute(shape: KindShape): fc.Arbitrary<Condition> {
  const own = shape.attributes.map(item => [item.name, item.kind] as const);
  const renamed = shape.attributes.map(item => [`${item.name}_new`, item.kind] as const);
  const added: readonly (readonly [string, AttributeKind])[] = [
    ['extra0', 'Number'],
    ['extra1', 'Text'],
    ['extra2', 'Text'],
  ];
  const target = fc.oneof(
    {weight: 8, arbitrary: fc.constantFrom(...own)},
    {weight: 1, arbitrary: fc.constantFrom(...renamed)},
    {weight: 1, arbitrary: fc.constantFrom(...added)},
  );
  return target.chain(([attribute, kind]) =>
    tests(kind).map((test): Condition => ({is: 'attribute', attribute, property: 'value', test})),
  );
}

const onVersion: fc.Arbitrary<Condition> = fc
  .constantFrom<Test>({op: 'isNull'}, {op: 'in', values: [4]}, {op: 'greater', value: 4})
  .map(test => ({is: 'attribute', attribute: 'address', property: 'version', test}));

const metadataTest: fc.Arbitrary<MetadataTest> = fc.oneof(
  fc.record({field: fc.constantFrom('source', 'owner'), in: fc.subarray([people(0)!, people(1)!])}),
  fc.record({
    field: fc.constantFrom('isProtected', 'isVisible', 'isDefault', 'isFromProfile'),
    equals: fc.boolean(),
  }),
);

const onTime: fc.Arbitrary<Condition> = fc
  .record({
    field: fc.constantFrom('createdAt', 'updatedAt'),
    end: fc.constantFrom('from', 'until'),
    micros: fc
      .integer({min: 0, max: 60})
      .map(steps => (Date.UTC(2026, 0, 1) * 1000 + steps * 1000) as Instant),
  })
  .map(({field, end, micros}) => ({is: 'node', field, [end]: micros}));

function leavesOn(shape: KindShape): fc.Arbitrary<Condition> {
  const kinds = fc.subarray(SHAPES.map(item => item.name)).map((list): Condition => ({is: 'kind', in: list}));
  const anyText = fc
    .oneof(tests('Text'), tests('Number'))
    .map((test): Condition => ({is: 'anyAttribute', test}));
  const metadata = fc.record({
    is: fc.constant('metadata' as const),
    attribute: fc.constantFrom('*', ...shape.attributes.map(item => item.name)),
    test: metadataTest,
  });
  return fc.oneof(
    {weight: 9, arbitrary: onAttribute(shape)},
    {weight: shape.name === 'TestDevice' ? 1 : 0, arbitrary: onVersion},
    {weight: 1, arbitrary: ids.map((list): Condition => ({is: 'id', in: list}))},
    {weight: 1, arbitrary: kinds},
    {weight: 1, arbitrary: anyText},
    {weight: 2, arbitrary: metadata},
    {weight: 1, arbitrary: onTime},
  );
}

function relatedThrough(relationship: RelationshipShape, level: number): fc.Arbitrary<Condition> {
  const peers = SHAPES.filter(
    item => item.name === relationship.peer || item.generics.includes(relationship.peer),
  );
  const isHierarchy = relationship.identifier === 'parent__child';
  const where = fc.constantFrom(...peers).chain(peer => conditionsOn(peer, level - 1));
  const fields = {
    is: fc.constant('related' as const),
    relationship: fc.constant(relationship.name),
    where,
    ...(isHierarchy ? {transitive: fc.integer({min: 1, max: 4})} : {}),
  };
  return fc.record(fields, {requiredKeys: ['is', 'relationship']});
}

/** Conditions that objects of the kind may well meet. */
export function conditionsOn(shape: KindShape, level: number): fc.Arbitrary<Condition> {
  const leaf = leavesOn(shape);
  if (level <= 1) return leaf;
  const inner = fc.constant(level - 1).chain(next => conditionsOn(shape, next));
  const related = fc.constantFrom(...shape.relationships).chain(item => relatedThrough(item, level));
  return fc.oneof(
    {weight: 5, arbitrary: leaf},
    {
      weight: 2,
      arbitrary: fc.record({is: fc.constantFrom('all', 'any'), of: fc.array(inner, {maxLength: 3})}),
    },
    {weight: 1, arbitrary: inner.map((of): Condition => ({is: 'not', of}))},
    {weight: shape.relationships.length === 0 ? 0 : 3, arbitrary: related},
  );
}
