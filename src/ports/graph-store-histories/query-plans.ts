import fc from 'fast-check';
import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {
  Condition,
  Include,
  MetadataTest,
  NodeQuery,
  Order,
  PageRequest,
  Test,
} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {ALL_KINDS, numberedId} from '../graph-store-fixtures.ts';
import {people, poolOf} from './values.ts';

export interface QueryPlan extends NodeQuery {
  /** Ask again and again by cursor, this many at a time, instead of the query's own page. */
  readonly pagesOf: number | undefined;
}

const KIND_NAMES = [
  ...ALL_KINDS.flatMap(({shape}) => [shape.name, ...shape.generics]),
  'TestTagNew',
  'TestDeviceNew',
  'TestExtra',
];

/** Attribute names of the fixtures and what histories make of them, each with the kind of its values. */
const ATTRIBUTES: readonly (readonly [name: string, kind: AttributeKind])[] = [
  ...ALL_KINDS.flatMap(({shape}) => shape.attributes.map(item => [item.name, item.kind] as const)),
  ['name_new', 'Text'],
  ['extra1', 'Text'],
  ['extra2', 'Text'],
  ['extra3', 'Number'],
];
const SORTABLE = ATTRIBUTES.filter(([, kind]) => kind !== 'List' && kind !== 'JSON');
const RELATIONSHIPS = [
  ...new Set(ALL_KINDS.flatMap(({shape}) => shape.relationships.map(item => item.name))),
];
const TO_ONE = [
  ...new Set(
    ALL_KINDS.flatMap(({shape}) =>
      shape.relationships.filter(item => item.cardinality === 'one').map(item => item.name),
    ),
  ),
];

const ids = fc.array(fc.integer({min: 1, max: 40}).map(numberedId), {maxLength: 4});
const depth = fc.integer({min: 1, max: 4});

const tests = (kind: AttributeKind): fc.Arbitrary<Test> => {
  const value: fc.Arbitrary<Json> = fc.constantFrom(...poolOf(kind));
  const known = fc.constantFrom(...poolOf(kind).filter(item => item !== null));
  const exact: fc.Arbitrary<Test>[] = [
    fc.constant({op: 'isNull'} as const),
    fc.record({op: fc.constant('in' as const), values: fc.array(value, {maxLength: 3})}),
  ];
  if (kind === 'List' || kind === 'JSON') return fc.oneof(...exact);
  return fc.oneof(
    ...exact,
    fc.record({op: fc.constantFrom('less', 'lessOrEqual', 'greater', 'greaterOrEqual'), value: known}),
    fc.record({
      op: fc.constantFrom('contains', 'startsWith', 'endsWith'),
      text: fc.constantFrom('a', 'A', 'Ä', '1', 'E', '', '%', '_', '0.0', "'", '\\', ':'),
      ignoreCase: fc.boolean(),
    }),
  );
};

const onAttribute: fc.Arbitrary<Condition> = fc.constantFrom(...ATTRIBUTES).chain(([attribute, kind]) =>
  fc.record({
    is: fc.constant('attribute' as const),
    attribute: fc.constant(attribute),
    property: fc.constant('value'),
    test: tests(kind),
  }),
);

const onAddress: fc.Arbitrary<Condition> = fc.record({
  is: fc.constant('attribute' as const),
  attribute: fc.constant('address'),
  property: fc.constant('version'),
  test: fc.oneof(
    fc.constant({op: 'isNull'} as const),
    fc.constant({op: 'in', values: [4]} as const),
    fc.constant({op: 'greater', value: 4} as const),
  ),
});

const metadataTest: fc.Arbitrary<MetadataTest> = fc.oneof(
  fc.record({field: fc.constantFrom('source', 'owner'), in: fc.subarray([people(0)!, people(1)!])}),
  fc.record({
    field: fc.constantFrom('isProtected', 'isVisible', 'isDefault', 'isFromProfile'),
    equals: fc.boolean(),
  }),
);

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  {weight: 8, arbitrary: onAttribute},
  {weight: 1, arbitrary: onAddress},
  {weight: 1, arbitrary: fc.record({is: fc.constant('id' as const), in: ids})},
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('kind' as const),
      in: fc.subarray(['TestDevice', 'TestServer', 'TestSite']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('anyAttribute' as const),
      test: fc.oneof(tests('Text'), tests('Number')),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('metadata' as const),
      attribute: fc.constantFrom('*', 'name', 'role', 'note'),
      test: metadataTest,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('node' as const),
      field: fc.constantFrom('createdAt', 'updatedAt'),
      from: fc
        .integer({min: 0, max: 100_000})
        .map(micros => (Date.UTC(2026, 0, 1) * 1000 + micros) as Instant),
    }),
  },
);

const conditions: fc.Memo<Condition> = fc.memo(level => {
  if (level <= 1) return leaf;
  const inner = conditions(level - 1);
  return fc.oneof(
    {weight: 4, arbitrary: leaf},
    {
      weight: 2,
      arbitrary: fc.record({is: fc.constantFrom('all', 'any'), of: fc.array(inner, {maxLength: 3})}),
    },
    {weight: 1, arbitrary: fc.record({is: fc.constant('not' as const), of: inner})},
    {
      weight: 3,
      arbitrary: fc.record(
        {
          is: fc.constant('related' as const),
          relationship: fc.constantFrom(...RELATIONSHIPS),
          where: inner,
        },
        {requiredKeys: ['is', 'relationship']},
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          is: fc.constant('related' as const),
          relationship: fc.constantFrom('parent', 'children'),
          transitive: depth,
          where: inner,
        },
        {requiredKeys: ['is', 'relationship', 'transitive']},
      ),
    },
  );
});

const orderItem: fc.Arbitrary<Order> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      by: fc.constant('attribute' as const),
      path: fc.constantFrom(...SORTABLE).map(([attribute]) => ({attribute, property: 'value'})),
      descending: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant('attribute' as const),
      path: fc.record({
        relationship: fc.constantFrom(...TO_ONE),
        attribute: fc.constant('name'),
        property: fc.constant('value'),
      }),
      descending: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({by: fc.constantFrom('createdAt', 'updatedAt'), descending: fc.boolean()}),
  },
);

const order = fc.array(orderItem, {maxLength: 2});

const pageRequest: fc.Arbitrary<PageRequest> = fc.oneof(
  fc.record({limit: fc.integer({min: 1, max: 4}), offset: fc.nat({max: 4})}),
  fc.record({limit: fc.integer({min: 1, max: 4}), after: fc.constant(null)}),
);

const optional = {where: conditions(3), order, page: pageRequest, count: fc.boolean(), nodes: fc.boolean()};

const includes: fc.Memo<readonly Include[]> = fc.memo(level => {
  const below = level <= 1 ? fc.constant([]) : includes(level - 1);
  const plain = fc.record(
    {relationship: fc.constantFrom(...RELATIONSHIPS), ...optional, where: conditions(2), include: below},
    {requiredKeys: ['relationship']},
  );
  const transitive = fc.record(
    {
      relationship: fc.constantFrom('parent', 'children', 'uplinks', 'downlinks', 'twins'),
      transitive: fc.record({depthMax: depth}),
      ...optional,
      include: below,
    },
    {requiredKeys: ['relationship', 'transitive']},
  );
  const ofDescendants = fc.record(
    {
      relationship: fc.constantFrom('sites', 'parent'),
      ofDescendants: fc.record({depthMax: depth}),
      ...optional,
    },
    {requiredKeys: ['relationship', 'ofDescendants']},
  );
  const include = fc.oneof(
    {weight: 5, arbitrary: plain},
    {weight: 1, arbitrary: transitive},
    {weight: 1, arbitrary: ofDescendants},
  );
  return fc.array(include, {maxLength: level});
});

export const queryPlans: fc.Arbitrary<QueryPlan> = fc
  .record(
    {
      kind: fc.constantFrom(...KIND_NAMES),
      ...optional,
      include: includes(3),
      pagesOf: fc.integer({min: 1, max: 4}),
    },
    {requiredKeys: ['kind']},
  )
  .map(plan => ({...plan, pagesOf: plan.pagesOf}));
